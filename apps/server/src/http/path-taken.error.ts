/** Controllers that a team brings can match paths of the service; one line for each. */
export class PathTakenError extends Error {
  override name = 'PathTakenError';
}
