/** Texts that cannot be used; the message is one line for whoever starts the service. */
export class TextsError extends Error {
  override readonly name = 'TextsError';
}
