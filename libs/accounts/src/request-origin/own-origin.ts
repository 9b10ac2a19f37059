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

/**
 * The origin that a scheme and a `Host` value stand for. Undefined when either is malformed, and for spellings that
 * a URL parser would rewrite to another host (`127.1`, `0x7f.0.0.1`).
 */
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
