import { ExpectedError } from '#libs/accounts';

/** RFC 6750 §3.1. */
type BearerErrorCode = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/**
 * Refusal of a request to the protected resource. Without a code it carried no bearer token at all;
 * such a client is told how to get one, not what it did wrong. The message is for people.
 */
export class BearerError extends ExpectedError {
  override name = 'BearerError';
  readonly status: number;

  /** `scopes` are those to ask for now; by default every scope there is. */
  constructor(
    readonly code: BearerErrorCode | undefined,
    message: string,
    readonly scopes?: readonly string[],
  ) {
    super(message);
    this.status = code === undefined ? 401 : STATUS[code];
  }
}
