import { redirectSources } from '#libs/ui-templates/content-security-policy';

const MAX_LENGTH = 2048;
const MAX_HOST_LENGTH = 253;

const withoutCase = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '');

/** The host of a valid redirect URI, in lower case without the dot of the root; null for schemes without one. */
export const redirectHostOf = (uri: string): string | null =>
  withoutCase(new URL(uri).hostname) || null;

/** The redirect hosts of a client, each once, in the form of {@link redirectHostOf}. */
export const redirectHostsOf = (uris: readonly string[] = []): readonly string[] => [
  ...new Set(uris.flatMap((uri) => redirectHostOf(uri) ?? [])),
];

/** A host name or address, normalised in the same way; undefined for anything else. */
export function normalRedirectHost(text: string): string | undefined {
  const url = /^[\w.:[\]-]{1,254}$/.test(text) ? URL.parse(`https://${text}`) : null;
  if (!url || /:\d*$/.test(text)) return undefined;
  return withoutCase(url.hostname) || undefined;
}

/** Schemes that browsers run, open or pass to other programs; not private-use schemes (RFC 8252 §7.1). */
const FORBIDDEN_SCHEMES = new Set(
  (
    'javascript vbscript data blob file filesystem about view-source ftp ws wss mailto tel sms intent ' +
    'content jar mhtml res resource chrome chrome-extension moz-extension edge devtools'
  ).split(' '),
);

/** Plain http on the loopback interface, up to the first slash of a path: what is before the port, and the port. */
const LOOPBACK = /^(http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]))(:\d{1,5})?(?:\/|(?=\?|$))/i;

const schemeOf = (uri: string) => uri.slice(0, uri.indexOf(':')).toLowerCase();

const hasCredentials = (uri: string) => /^[^:/?]+:\/\/[^/?]*@/.test(uri);

/** Why a redirect URI may not be registered, as a phrase that follows its name; undefined when it may. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!/^[!-[\]-~]+$/.test(uri) || !URL.canParse(uri)) return 'must be a valid URI';
  if (uri.includes('#')) return 'must not have a fragment';
  if (hasCredentials(uri)) return 'must not have credentials in it';
  const scheme = schemeOf(uri);
  if (FORBIDDEN_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`;
  if (scheme === 'http' && !LOOPBACK.test(uri)) {
    return 'must use https, or plain http on localhost, 127.0.0.0/8 or [::1]';
  }
  if (scheme === 'https' && !/^https:\/\/[^/?]/i.test(uri)) return 'must be a valid URI';
  if (new URL(uri).hostname.length > MAX_HOST_LENGTH) {
    return `must have a host of at most ${MAX_HOST_LENGTH} characters`;
  }
  try {
    // The consent page's content security policy has to allow a redirect there.
    redirectSources(uri);
  } catch {
    return 'must have a plain host name or address';
  }
  return undefined;
}

/** Whether the browser may be sent to a registered URI: https, loopback http, or an allowed private-use scheme. */
export function isUsableRedirect(uri: string, privateUseSchemes: readonly string[]): boolean {
  if (redirectUriFault(uri) !== undefined) return false;
  const scheme = schemeOf(uri);
  return scheme === 'https' || scheme === 'http' || privateUseSchemes.includes(scheme);
}

/** Whether a private-use scheme that this service does not allow is the only fault of a URI. */
export const lacksAllowedScheme = (uri: string, privateUseSchemes: readonly string[]): boolean =>
  redirectUriFault(uri) === undefined && !isUsableRedirect(uri, privateUseSchemes);

/** Whether a URI is registered: the same, or on loopback but for the port (RFC 8252 §7.3) and an empty path, `/`. */
export function matchesRegistered(requested: string, registered: readonly string[]): boolean {
  if (registered.includes(requested)) return true;
  if (!LOOPBACK.test(requested) || redirectUriFault(requested) !== undefined) return false;
  const wanted = withoutPort(requested);
  return registered.some((uri) => withoutPort(uri) === wanted);
}

/** Whether the redirect URI of an exchange is that of its request: a client may spell an empty path in two ways. */
export const isSameRedirect = (uri: string, otherUri: string) =>
  withPath(uri) === withPath(otherUri);

const withPath = (uri: string) => uri.replace(LOOPBACK, '$1$2/');

const withoutPort = (uri: string) => uri.replace(LOOPBACK, '$1/');
