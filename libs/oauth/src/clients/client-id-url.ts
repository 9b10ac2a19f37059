const MAX_LENGTH = 512;
const HTTPS_PORT = '443';

/** Whether a client identifier is the URL of a metadata document; any other is registered or unknown. */
export const isDocumentUrl = (clientId: string) => clientId.startsWith('https://');

/** Host and port in the form of `privateHosts`, the default port included: `localhost:8443`. */
export const hostAndPort = ({ hostname, port }: URL) => `${hostname}:${port || HTTPS_PORT}`;

/**
 * Why a URL may not be the identifier of a metadata document (Client ID Metadata Document draft, §3);
 * undefined when it may. Refuses spellings that a URL parser would change: dot segments, encoded ones
 * included, upper-case hosts, credentials, an explicit default port, non-ASCII characters.
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

/** Whether a metadata document can have this URL, whichever ports the service allows. */
export function isPossibleDocumentUrl(clientId: string): boolean {
  const url = URL.parse(clientId);
  return url !== null && clientIdUrlFault(clientId, [hostAndPort(url)]) === undefined;
}
