import type { Request } from 'express';
import type { LinkedPage } from '../accounts.module-definition.js';
import { isForeignOrigin, isOwnUnnamed } from '../request-origin/own-origin.js';
import { isSessionToken } from './session.js';

/** On https only `__Host-` is read, which a sibling host cannot plant (RFC 6265bis §4.1.3.2). */
const cookieName = (secure: boolean) => (secure ? '__Host-session' : 'session');

/** The session token in a `Cookie` header; undefined when it is absent, malformed or sent twice. */
export function readSessionCookie(header: string | undefined, secure: boolean) {
  const token = readCookie(header, cookieName(secure));
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

/**
 * The value of a cookie; undefined when absent or sent twice. Only spaces and tabs are white space: with another one a
 * sibling host can plant a name to which browsers do not apply the `__Host-` rules.
 */
export function readCookie(header = '', name: string) {
  const prefix = `${name}=`;
  let value: string | undefined;
  // A header may have thousands of pairs, which would take longer than the rest of a request.
  for (let at = header.indexOf(prefix); at >= 0; at = header.indexOf(prefix, at + 1)) {
    let before = at - 1;
    while (header[before] === ' ' || header[before] === '\t') before -= 1;
    if (before >= 0 && header[before] !== ';') continue;
    if (value !== undefined) return undefined;
    const end = header.indexOf(';', at);
    value = header.slice(at + prefix.length, end < 0 ? undefined : end);
  }
  return value;
}

export const sessionCookie = (token: string, secure: boolean, maxAgeSeconds: number) =>
  setCookie(cookieName(secure), token, secure, maxAgeSeconds);

/** A `Set-Cookie` value that scripts cannot read and that is sent with navigations from other sites. */
export function setCookie(name: string, value: string, secure: boolean, maxAgeSeconds: number) {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  return [`${name}=${value}`, ...attributes].join('; ');
}

/** A `Set-Cookie` value that clears the cookie, with the attributes it was set with. */
export const clearedSessionCookie = (secure: boolean) => sessionCookie('', secure, 0);

type Asking = Pick<Request, 'method' | 'path' | 'headers'>;

/** Whether the session cookie is accepted, by the table in docs/about/security.md; otherwise it is signed out. */
export function acceptsSessionCookie(
  ownOrigin: string,
  request: Asking,
  linkedPages: readonly LinkedPage[],
): boolean {
  const { method, path, headers } = request;
  const { origin, referer, 'sec-fetch-site': site } = headers;
  const page = linkedPages.find((linked) => isAt(linked, path));
  if (page?.takesForm && method === 'POST' && isOwnUnnamed(origin, site)) return true;
  if (isForeignOrigin(origin, ownOrigin)) return false;
  if (origin !== undefined) return true;
  if (site === 'same-origin' || site === 'none') return true;
  if (site !== undefined) return page !== undefined && isDocumentLoad(request);
  if (method === 'GET' && page?.withoutFetchMetadata) return true;
  return referer === undefined || URL.parse(referer)?.origin === ownOrigin;
}

const isAt = ({ path: linked }: LinkedPage, path: string) =>
  linked.endsWith('/*') ? path.startsWith(linked.slice(0, -1)) : path === linked;

function isDocumentLoad({ method, headers }: Asking) {
  const { upgrade, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const reads = method === 'GET' || method === 'HEAD';
  return reads && upgrade === undefined && mode === 'navigate' && destination === 'document';
}
