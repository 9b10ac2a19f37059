import type { AuthorizationRequest } from '../consents/authorization-request.js';

/**
 * Where to send the browser with an authorization response: the very redirect URI of the request
 * with the response, its `state` and our `iss` (RFC 9207) added to its query.
 */
export function responseLocation(
  issuer: string,
  { redirectUri, state }: AuthorizationRequest,
  response: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(response);
  if (state !== undefined) query.set('state', state);
  query.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
