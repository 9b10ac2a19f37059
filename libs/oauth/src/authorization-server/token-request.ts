import { isOwnResource, resourceOf } from '../grant/grant.js';
import { OAuthError } from '../oauth-endpoints.js';

/**
 * The parameters of a token or revocation request. Empty parameters count as absent and repeated ones
 * are refused (OAuth 2.1 §3.2). A resource that is not ours is refused here because the library would
 * use up the code or refresh token first. Throws OAuthError 400.
 */
export function parseTokenRequest(form: URLSearchParams, origin: string): URLSearchParams {
  const request = new URLSearchParams();
  for (const [name, value] of form) {
    if (value === '') continue;
    if (name === 'resource') expectOwnResource(value, origin);
    else if (request.has(name)) throw invalidRequest('a parameter is given twice');
    else request.append(name, value);
  }
  if (form.get('resource')) request.set('resource', resourceOf(origin));
  return request;
}

export const invalidRequest = (description: string) =>
  new OAuthError(400, 'invalid_request', description);

function expectOwnResource(indicator: string, origin: string) {
  if (isOwnResource(indicator, origin)) return;
  throw new OAuthError(400, 'invalid_target', `the only resource here is ${resourceOf(origin)}`);
}
