import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { IncomingHttpHeaders } from 'node:http';

interface VisitCounter {
  readonly key: string;
  readonly limit: number;
}

const WHOLE_56 = 0xff00;

/** Limits of a /56 and a /48, as multiples of a visitor's: the holder of such a network has thousands of /64. */
const LIMITS_OF_56 = 4;
const LIMITS_OF_48 = 16;

/** A visitor key that is an IPv6 /64, with an optional suffix. */
const IPV6_VISITOR = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64(.*)/;

/** The counters of a visit, the widest network first: for IPv6 also the /48 and /56 around the visitor's /64. */
export function countersOf(visitor: string, limit: number): readonly VisitCounter[] {
  const own = { key: visitor, limit };
  // Stryker disable next-line StringLiteral,ArrayDeclaration: either all groups match, or `site` is undefined.
  const [, site, subnet = '', suffix = ''] = IPV6_VISITOR.exec(visitor) ?? [];
  if (site === undefined) return [own];
  const subnets = (Number.parseInt(subnet, 16) & WHOLE_56).toString(16);
  return [
    { key: `${site}:/48${suffix}`, limit: LIMITS_OF_48 * limit },
    { key: `${site}${subnets}::/56${suffix}`, limit: LIMITS_OF_56 * limit },
    own,
  ];
}

/** All clients whose address no trusted proxy has set share this visitor. */
const LOCAL_VISITOR = 'local';

const IPV6_NETWORK_PARTS = 4;

/** The key a visitor is counted under: an IPv4 address, the /64 of an IPv6 one (a household or host), or `local`. */
export function visitorKey(clientAddress: string | undefined): string {
  // Stryker disable next-line StringLiteral: any text that is no address gives the same visitor.
  const address = addressIn(clientAddress ?? '');
  if (address === undefined) return LOCAL_VISITOR;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, IPV6_NETWORK_PARTS);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}

/**
 * The address in an entry of `X-Forwarded-For` or in the header of an edge: bare, or as some proxies write it, with a
 * port (`192.0.2.1:5678`), in brackets (`[2001:db8::1]:5678`) and in quotes. Undefined for anything else.
 */
export function addressIn(entry: string): string | undefined {
  const address = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[([^\]]+)\](?::\d{1,5})?$/, '$1')
    .replace(/(\.\d+):\d{1,5}$/, '$1');
  return isIP(address) === 0 ? undefined : address.replace(/%.*/, '');
}

/** Whether another origin's page caused this without a navigation, which must not use up the users' own limit. */
export function isCrossSiteSubrequest(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  if (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-purpose'] !== undefined) return true;
  return (headers['sec-fetch-dest'] ?? 'document') !== 'document';
}

/** The party that a request is counted for. */
export interface Visitor {
  /** An IPv4 address, an IPv6 /64, or `local`. */
  readonly key: string;
  /** The /48 around an IPv6 /64, since one party may hold all of it; otherwise the key. */
  readonly network: string;
  /** Requests per period. */
  readonly limit: number;
}

export function visitorAt(clientAddress: string | undefined, limit: number): Visitor {
  const key = visitorKey(clientAddress);
  // Stryker disable next-line ObjectLiteral: there is always a counter; the compiler does not know.
  const [{ key: network } = { key }] = countersOf(key, limit);
  return { key, network, limit };
}
