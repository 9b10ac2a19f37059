import { OAuthError } from '../oauth-endpoints.js';
import type { ProviderResponse } from '../oidc-provider/provider-call.adapter.js';
import { BASIC_CHALLENGE } from './client-credentials.js';

type ErrorResponse = Pick<ProviderResponse, 'status' | 'body'>;

const WRONG_GRANT_TYPE = 'requested grant type is not allowed for this client';

/** Converts the library's error response; `basic` is true when the client used the Authorization header. */
export function providerError({ status, body }: ErrorResponse, basic: boolean): OAuthError {
  const { error = 'invalid_request', error_description: description = '' } = (body ?? {}) as {
    error?: string;
    error_description?: string;
  };
  if (description === WRONG_GRANT_TYPE) {
    return new OAuthError(400, 'unauthorized_client', description);
  }
  const headers = status === 401 && basic ? BASIC_CHALLENGE : {};
  return new OAuthError(status, error, description, headers);
}
