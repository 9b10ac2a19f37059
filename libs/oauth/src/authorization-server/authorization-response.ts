import type { AuthorizationRequest } from '../consents/authorization-request.js';

/**
 * The URL of an authorization response: the redirect URI of the request, unchanged, with the
 * response parameters, its `state` and our `iss` (RFC 9207) added to the query.
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
 * The library's error redirect with the response in the query: the library puts some errors into
 * the fragment, but `query` is the only response mode of this server.
 */
export function inQuery(location: string): string {
  const target = new URL(location);
  for (const [name, value] of new URLSearchParams(target.hash.slice(1))) {
    target.searchParams.set(name, value);
  }
  target.hash = '';
  return target.href;
}
