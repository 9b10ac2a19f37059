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

/**
 * Where the library wants the browser with an error, with the response in the query: some errors
 * would come in the fragment, but this server has the response mode `query` and no other.
 */
export function inQuery(location: string): string {
  const target = new URL(location);
  for (const [name, value] of new URLSearchParams(target.hash.slice(1))) {
    target.searchParams.set(name, value);
  }
  target.hash = '';
  return target.href;
}
