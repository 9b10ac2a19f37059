/** An extension that cannot be used; the message is for whoever starts the service. */
export class ExtensionError extends Error {
  override name = 'ExtensionError';
}
