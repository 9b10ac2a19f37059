import { countersOf } from './visit-counters.js';
import { visitorKey } from './visitor-key.js';

/** Who is counted for a request. */
export interface Visitor {
  /** An IPv4 address, an IPv6 /64, or `local`. */
  readonly key: string;
  /** Of an IPv6 /64 the /48 around it, which one hand may hold whole; else the key. */
  readonly network: string;
  /** Requests that a visitor may make in a period. */
  readonly limit: number;
}

/** The visitor behind the client address that the fronting proxy set. */
export function visitorAt(clientAddress: string | undefined, limit: number): Visitor {
  const key = visitorKey(clientAddress);
  const [{ key: network } = { key }] = countersOf(key, limit);
  return { key, network, limit };
}
