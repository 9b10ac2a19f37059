import { isIP } from 'node:net';
import { ClientDocumentError } from './client-document.error.js';
import {
  type Address,
  type Lookup,
  resolveListedName,
  resolvePublicName,
} from './name-resolution.js';
import { isSpecialUseAddress } from './special-use-address.js';

interface Resolution {
  /** Whether the operator listed the host, which then may have special-use addresses. */
  readonly isPrivate: boolean;
  /** By default DNS, or the system's resolver for a private host. */
  readonly lookup?: Lookup | undefined;
}

/**
 * All addresses of a URL's host, each of which may be connected to. Also checks a host that is an IP
 * address itself, for which Undici calls no lookup. Throws ClientDocumentError when there is no
 * address, or when one of them is for special use.
 */
export async function connectableAddresses(
  url: URL,
  { isPrivate, lookup = isPrivate ? resolveListedName : resolvePublicName }: Resolution,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  const family = isIP(host);
  const addresses = family === 0 ? await lookup(host, signal) : [{ address: host, family }];
  if (addresses.length === 0) {
    throw new ClientDocumentError(`${host} has no address`, { transient: true });
  }
  const refused = addresses.find(({ address }) => isSpecialUseAddress(address));
  if (refused === undefined || isPrivate) return addresses;
  // Transient for a name, like a name without addresses: so a caller cannot tell the two cases apart.
  const transient = family === 0;
  throw new ClientDocumentError(`${host} has the special-use address ${refused.address}`, {
    transient,
  });
}
