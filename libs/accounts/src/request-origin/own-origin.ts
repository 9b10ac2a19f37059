import type { IncomingMessage } from 'node:http';

/** The values of a header, `name` in lower case, each time it was sent. `headersDistinct` would process them all. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1], name));
}

// Stryker disable next-line StringLiteral: each value has a name before it; the compiler does not know.
const isNamed = (header = '', name: string) =>
  // Stryker disable next-line ConditionalExpression: the lengths only spare copies in lower case.
  header.length === name.length && header.toLowerCase() === name;

/** Whether a URL's hostname means this very machine: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`. */
export const isLoopbackHostname = (hostname: string) =>
  hostname === '[::1]' ||
  /^(.+\.)?localhost$/.test(hostname) ||
  /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether `Origin` names another origin than ours (RFC 6454 §7), `null` included; false without the header. */
export const isForeignOrigin = (origin: string | undefined, ownOrigin: string) =>
  origin !== undefined && origin !== ownOrigin;

/** Whether a page of ours sent `Origin: null`, as with `no-referrer` (Fetch, §3.2): opaque origins are `cross-site`. */
export const isOwnUnnamed = (origin: string | undefined, fetchSite: string | undefined) =>
  origin === 'null' && fetchSite === 'same-origin';

/** The origin a request was made to, which is also the relying party of its ceremonies. */
export interface OwnOrigin {
  /** Serialised as browsers do it, the default port dropped: `https://gate.example`. */
  readonly origin: string;
  readonly hostname: string;
  readonly secure: boolean;
}

/** A DNS name has at most 253 characters; the rest is for brackets and a port. */
const MAX_HOST_LENGTH = 260;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** The origin of a scheme and a `Host` value; undefined for malformed ones and those a parser rewrites (`127.1`). */
export function parseOwnOrigin(scheme: string, host: string): OwnOrigin | undefined {
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  if (host.length > MAX_HOST_LENGTH || !HOST.test(host)) return undefined;
  if (!URL.canParse(`${scheme}://${host}`)) return undefined;
  const { origin, hostname, port } = new URL(`${scheme}://${host}`);
  const written = host.toLowerCase().replace(/:0*(\d+)$/, ':$1');
  const defaultPort = scheme === 'https' ? '443' : '80';
  if (written !== hostname + (port && `:${port}`) && written !== `${hostname}:${defaultPort}`) {
    return undefined;
  }
  return { origin, hostname, secure: scheme === 'https' };
}

/** Whether the service answers on an origin (contract, Origin): a public one, or without a list plain-http loopback. */
export function isServed(own: OwnOrigin, publicOrigins?: readonly string[]): boolean {
  const loopback = isLoopbackHostname(own.hostname);
  if (!own.secure && !loopback) return false;
  return publicOrigins ? publicOrigins.includes(own.origin) : !own.secure && loopback;
}
