import type { IncomingMessage } from 'node:http';
import { RefusalError } from '#libs/accounts';
import { OAuthError } from '../oauth.error.js';
import { readForm } from './form-body.js';

/** Like readForm, with refusals as errors of RFC 6749 §5.2. */
export async function readOAuthForm(request: IncomingMessage): Promise<URLSearchParams> {
  try {
    return await readForm(request);
  } catch (error) {
    if (!(error instanceof RefusalError) || error.status >= 500) throw error;
    throw new OAuthError(error.status, 'invalid_request', error.message);
  }
}
