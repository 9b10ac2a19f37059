import { isSessionToken } from './session-token.js';

/**
 * On https only the `__Host-` name is read: a sibling host or another port cannot plant it
 * (RFC 6265bis §4.1.3.2). Browsers refuse that prefix on plain-http loopback.
 */
const cookieName = (secure: boolean) => (secure ? '__Host-session' : 'session');

/**
 * The session token in a `Cookie` header; undefined when it is absent, malformed or there twice.
 * Only spaces and tabs are white space here: browsers let any sibling host set a name that begins
 * with another kind of it, such as a no-break space, and would not hold that to the prefix.
 */
export function readSessionCookie(header: string | undefined, secure: boolean) {
  const prefix = `${cookieName(secure)}=`;
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.replace(/^[ \t]+/, ''))
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  const [token] = values;
  return values.length === 1 && token !== undefined && isSessionToken(token) ? token : undefined;
}

/** A `Set-Cookie` value that carries the token. */
export function sessionCookie(token: string, secure: boolean, maxAgeSeconds: number) {
  const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (secure) attributes.push('Secure');
  return [`${cookieName(secure)}=${token}`, ...attributes].join('; ');
}

/** A `Set-Cookie` value that takes the cookie away, with the attributes it was set with. */
export const clearedSessionCookie = (secure: boolean) => sessionCookie('', secure, 0);
