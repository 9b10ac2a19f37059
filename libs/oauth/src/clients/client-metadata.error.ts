/** Client metadata that is not acceptable (RFC 7591 §3.2.2); the message is for the client's developer. */
export class ClientMetadataError extends Error {
  override name = 'ClientMetadataError';

  constructor(
    readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

export const invalidMetadata = (message: string) =>
  new ClientMetadataError('invalid_client_metadata', message);
