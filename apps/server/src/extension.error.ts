/** An extension that cannot be used; the message is for the operator who starts the service. */
export class ExtensionError extends Error {
  override name = 'ExtensionError';
}
