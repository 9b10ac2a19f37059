/**
 * A metadata document that could not be fetched or accepted. The message is for the log; people only
 * ever get to read that the app could not be verified.
 */
export class ClientDocumentError extends Error {
  override name = 'ClientDocumentError';
}

/** Too much is being fetched already; says nothing about the document. */
export class FetchOverloadError extends ClientDocumentError {
  override name = 'FetchOverloadError';
}
