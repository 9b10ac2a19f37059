import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ClientDocumentError } from './client-document.js';

/**
 * Ranges that ipaddr.js counts as unicast but that are not on the public Internet: all of IPv6 outside
 * 2000::/3, addresses that embed an IPv4 one, and the ranges that IANA reserved inside 2000::/3.
 */
const FURTHER = [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3ffe::/16',
  '3fff::/20',
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Whether an address is reserved for special use (RFC 6890, IANA registries), or is no IP address. */
export function isSpecialUseAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return true;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return true;
  return parsed instanceof ipaddr.IPv6 && FURTHER.some((range) => parsed.match(range));
}

/** Per name server; two in sequence fit into the time limit of a fetch. */
const SERVER_TIMEOUT_MS = 1_500;
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. May reject when the signal aborts. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly Address[]>;

/**
 * The addresses of a public name, empty when it has none. By DNS alone: no hosts file, no search domains, none of
 * libuv's few threads, which a silent name server would block. Tests set `servers`.
 */
export async function resolvePublicName(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly Address[]> {
  signal.throwIfAborted();
  // Never sent to DNS (RFC 6761 §6.3).
  if (LOCALHOST.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 1 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    const [four, six] = await Promise.allSettled(asked);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    return found.length > 0 ? found : noAddress([four, six]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The addresses of a name that the operator listed, which may be in the hosts file only. */
export const resolveListedName: Lookup = (hostname) => systemLookup(hostname, { all: true });

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** Throws the first failure other than ENODATA, which only means no addresses of one family. */
function noAddress(answers: readonly PromiseSettledResult<string[]>[]): [] {
  const reasons: unknown[] = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  const failure = reasons.find((reason) => (reason as NodeJS.ErrnoException).code !== 'ENODATA');
  if (failure !== undefined) throw failure;
  return [];
}

/** All addresses of a URL's host, each checked. Throws ClientDocumentError without any, or for special use. */
export async function connectableAddresses(
  url: URL,
  /** Whether the operator listed the host, which then may have special-use addresses. */
  isPrivate: boolean,
  signal: AbortSignal,
  lookup: Lookup = isPrivate ? resolveListedName : resolvePublicName,
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
  const fault = `${host} has the special-use address ${refused.address}`;
  throw new ClientDocumentError(fault, { transient: family === 0 });
}
