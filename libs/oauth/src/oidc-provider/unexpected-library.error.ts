/** The installed oidc-provider is not the version that this code supports. `code` makes a failed start log one line. */
export class UnexpectedLibraryError extends Error {
  override name = 'UnexpectedLibraryError';
  readonly code = 'UNEXPECTED_OIDC_PROVIDER';

  constructor(difference: string) {
    super(`oidc-provider is not the version that is known here: ${difference}`);
  }
}
