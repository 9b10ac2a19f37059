const MAX_LENGTH = 512;
const HTTPS_PORT = '443';

/** Whether a client identifier names a metadata document; anything else was registered, or is unknown. */
export const isDocumentUrl = (clientId: string) => clientId.startsWith('https://');

/** Host and port as `privateHosts` lists them, the default port included: `localhost:8443`. */
export const hostAndPort = ({ hostname, port }: URL) => `${hostname}:${port || HTTPS_PORT}`;

/**
 * Why a URL may not be the identifier of a metadata document (Client ID Metadata Document draft, §3);
 * undefined when it may. Spellings that a URL parser would change are refused: dot segments, encoded
 * ones included, upper-case hosts, credentials, a written default port, anything beyond ASCII.
 */
export function clientIdUrlFault(
  clientId: string,
  privateHosts: readonly string[] = [],
): string | undefined {
  if (clientId.length > MAX_LENGTH) return `the identifier has more than ${MAX_LENGTH} characters`;
  if (!isDocumentUrl(clientId)) return 'the identifier is not an https URL';
  const url = URL.parse(clientId);
  if (!url || url.href !== clientId) return 'the identifier is not a URL in its normal form';
  if (url.username !== '' || url.password !== '') return 'the identifier has credentials in it';
  if (clientId.includes('#')) return 'the identifier has a fragment';
  if (clientId.includes('?')) return 'the identifier has a query';
  if (url.pathname === '/') return 'the identifier has no path';
  if (url.hostname.endsWith('.')) return 'the host of the identifier ends in a dot';
  if (url.port !== '' && !privateHosts.includes(hostAndPort(url))) {
    return 'the identifier names a port';
  }
  return undefined;
}

/** Whether the metadata document of some client can have this URL, on whatever port a service may let it be. */
export function isPossibleDocumentUrl(clientId: string): boolean {
  const url = URL.parse(clientId);
  return url !== null && clientIdUrlFault(clientId, [hostAndPort(url)]) === undefined;
}
