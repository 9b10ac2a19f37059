/** A team's controllers can match paths of the service; the message has one line for each. */
export class PathTakenError extends Error {
  override name = 'PathTakenError';
}
