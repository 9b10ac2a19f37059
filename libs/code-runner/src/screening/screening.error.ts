/** Content was refused, could not be screened or not be paid for. `message` says what to do. */
export class ScreeningError extends Error {
  override name = 'ScreeningError';
}
