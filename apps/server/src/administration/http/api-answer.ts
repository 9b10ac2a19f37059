import { RefusalError } from '#libs/accounts';
import { UnknownPageError } from '#libs/database';
import { isStorageOutage } from '../../http/storage-outage.js';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What was foreseen, in its own words; undefined for what nobody expected. */
export function refusalOf(error: unknown): ApiAnswer | undefined {
  if (error instanceof RefusalError) {
    const { status, message, headers } = error;
    return { status, headers, body: { error: message } };
  }
  if (error instanceof UnknownPageError) {
    return { status: error.status, headers: {}, body: { error: error.message } };
  }
  return undefined;
}

/** The request id and nothing else; the log has the rest. */
export function failureOf(error: unknown, requestId: string): ApiAnswer {
  if (isStorageOutage(error)) {
    const message = `storage does not answer; try again shortly (request ${requestId})`;
    return { status: 503, headers: { 'Retry-After': '5' }, body: { error: message } };
  }
  return { status: 500, headers: {}, body: { error: `internal error (request ${requestId})` } };
}
