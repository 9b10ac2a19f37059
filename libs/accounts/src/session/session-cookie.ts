import type { LinkedPage } from '../accounts.module-definition.js';
import { isForeignOrigin, isOwnUnnamed } from '../request-origin/own-origin.js';
import { isSessionToken } from './session.js';

/**
 * On https only the `__Host-` name is read: a sibling host or another port cannot plant it
 * (RFC 6265bis §4.1.3.2). Browsers refuse that prefix on plain-http loopback.
 */
const cookieName = (secure: boolean) => (secure ? '__Host-session' : 'session');

/** The session token in a `Cookie` header; undefined when it is absent, malformed or sent twice. */
export function readSessionCookie(header: string | undefined, secure: boolean) {
  const token = readCookie(header, cookieName(secure));
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

/**
 * The value of a cookie; undefined when it is absent or sent twice. Only spaces and tabs count as white space: a
 * sibling host can set a cookie whose name begins with other white space, such as a no-break space, and browsers do
 * not apply the `__Host-` rules to that name.
 */
export function readCookie(header: string | undefined, name: string) {
  const prefix = `${name}=`;
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[ \t]+/, ''))
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return values.length === 1 ? values[0] : undefined;
}

/** A `Set-Cookie` value that carries the token. */
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

/** Headers that tell where a request comes from. */
export interface RequestProvenance {
  readonly method: string;
  readonly path: string;
  readonly upgrade: boolean;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
}

/**
 * Whether the session cookie of a request is accepted; the first rule that matches decides. A cookie that is not
 * accepted means signed out, never an error. SameSite alone is not enough: a same-site page on another origin sends
 * the Lax cookie too. See docs/about/security.md for the table.
 */
export function acceptsSessionCookie(
  ownOrigin: string,
  request: RequestProvenance,
  linkedPages: readonly LinkedPage[],
): boolean {
  const page = linkedPages.find(({ path }) => path === request.path);
  const { origin, fetchSite } = request;
  if (page?.takesForm && request.method === 'POST' && isOwnUnnamed(origin, fetchSite)) return true;
  if (isForeignOrigin(origin, ownOrigin)) return false;
  if (origin !== undefined) return true;
  if (fetchSite === 'same-origin' || fetchSite === 'none') return true;
  if (fetchSite !== undefined) return page !== undefined && isDocumentLoad(request);
  if (request.method === 'GET' && page?.withoutFetchMetadata) return true;
  return request.referer === undefined || originOf(request.referer) === ownOrigin;
}

function isDocumentLoad({ method, upgrade, fetchMode, fetchDest }: RequestProvenance) {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && !upgrade && fetchMode === 'navigate' && fetchDest === 'document';
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : undefined);
