import { countersOf } from './visit-counters.js';
import { visitorKey } from './visitor-key.js';

/** The party that a request is counted for. */
export interface Visitor {
  /** An IPv4 address, an IPv6 /64, or `local`. */
  readonly key: string;
  /** The /48 around an IPv6 /64, since one party may hold all of it; otherwise the key. */
  readonly network: string;
  /** Requests per period. */
  readonly limit: number;
}

/** The visitor at the client address that the fronting proxy set. */
export function visitorAt(clientAddress: string | undefined, limit: number): Visitor {
  const key = visitorKey(clientAddress);
  const [{ key: network } = { key }] = countersOf(key, limit);
  return { key, network, limit };
}
