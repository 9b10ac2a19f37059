interface PolicyParts {
  readonly nonce: string;
  /** The full redirect URI that the consent form's answer leads to, on a page with a consent form. */
  readonly redirectUri?: string | undefined;
  readonly extraFormActions?: readonly string[] | undefined;
}

const NAMED_ORIGIN = /^https?:\/\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?$/;
const IPV6_ORIGIN = /^https?:\/\/\[[0-9a-f:]+\](?::\d{1,5})?$/;
const PRIVATE_USE_SCHEME =
  /^(?!(?:javascript|vbscript|data|blob|file|filesystem|about|ftp|wss?):)[a-z][a-z0-9+.-]*:$/;
const NONCE = /^[A-Za-z0-9_-]{16,}$/;
const CONFIGURED_SOURCE = /^[A-Za-z0-9:/._*[\]~%+-]+$/;

/** The whole header value. Throws TypeError for anything that is not a plain source. */
export function contentSecurityPolicy({ nonce, redirectUri, extraFormActions = [] }: PolicyParts) {
  const code = `'nonce-${checked(nonce, NONCE)}'`;
  const redirect = redirectUri === undefined ? [] : redirectSources(redirectUri);
  const extra = extraFormActions.map((source) => checked(source, CONFIGURED_SOURCE));
  return [
    "default-src 'none'",
    `script-src ${code}`,
    `style-src ${code}`,
    "connect-src 'self'",
    ["form-action 'self'", ...redirect, ...extra].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The `form-action` sources that allow a redirect to this URI. Throws TypeError when there are none. */
export function redirectSources(redirectUri: string): string[] {
  const { origin, protocol } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') return [checked(protocol, PRIVATE_USE_SCHEME)];
  // CSP cannot name an IPv6 address: Chromium and WebKit ignore such a source and need its scheme.
  if (IPV6_ORIGIN.test(origin)) return [origin, protocol];
  return [checked(origin, NAMED_ORIGIN)];
}

function checked(source: string, pattern: RegExp) {
  if (!pattern.test(source)) throw new TypeError(`not a CSP source: ${JSON.stringify(source)}`);
  return source;
}
