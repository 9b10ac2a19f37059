import { ExpectedError } from '#libs/accounts';

/** RFC 6750 §3.1. */
type BearerErrorCode = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

const STATUS = { invalid_request: 400, invalid_token: 401, insufficient_scope: 403 } as const;

/**
 * Refusal of a request to the protected resource. Without a code, the request had no bearer token: the
 * response says how to get one and names no error. The message is for people.
 */
export class BearerError extends ExpectedError {
  override name = 'BearerError';
  readonly status: number;

  /** `scopes` are those that the client should request now; by default all scopes. */
  constructor(
    readonly code: BearerErrorCode | undefined,
    message: string,
    readonly scopes?: readonly string[],
  ) {
    super(message);
    this.status = code === undefined ? 401 : STATUS[code];
  }
}
