/**
 * A metadata document that could not be fetched or accepted. The message is for the log; users only
 * read that the app could not be verified.
 */
export class ClientDocumentError extends Error {
  override name = 'ClientDocumentError';
  /**
   * True when the failure says nothing about the client: overload, timeout, an unreachable host or DNS
   * server, status 429 or 5xx. False when its identifier or its document is not acceptable.
   */
  readonly transient: boolean;

  constructor(
    message: string,
    { transient = false, ...options }: ErrorOptions & { readonly transient?: boolean } = {},
  ) {
    super(message, options);
    this.transient = transient;
  }
}

/** Too many fetches are running or waiting; says nothing about the document. */
export class FetchOverloadError extends ClientDocumentError {
  override name = 'FetchOverloadError';

  constructor(message = 'too many documents are being fetched already') {
    super(message, { transient: true });
  }
}
