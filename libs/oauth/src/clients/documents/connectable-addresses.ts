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
  /** Listed by the operator: may have special-use addresses. */
  readonly isPrivate: boolean;
  /** DNS, or the system's way for a private host, by default. */
  readonly lookup?: Lookup | undefined;
}

/**
 * All addresses of a URL's host, each of which may be connected to. A host that is an address already
 * is looked at too: Undici asks nobody about it. Throws ClientDocumentError when there is none, or
 * one of them is for special use.
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
  // A name may get other addresses, as one that has none; who named it cannot tell the two apart by this.
  const transient = family === 0;
  throw new ClientDocumentError(`${host} has the special-use address ${refused.address}`, {
    transient,
  });
}
