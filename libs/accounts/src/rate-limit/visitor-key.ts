import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All clients whose address no trusted proxy has set share this visitor. */
const LOCAL_VISITOR = 'local';

const IPV6_NETWORK_PARTS = 4;

/**
 * The key a visitor is counted under, from the client address that the fronting proxy set: an IPv4
 * address, the /64 network of an IPv6 address (one household or host), or `local`.
 */
export function visitorKey(clientAddress: string | undefined): string {
  // Stryker disable next-line StringLiteral: any text that is no address gives the same visitor.
  const address = withoutPort(clientAddress ?? '');
  if (isIP(address) === 0) return LOCAL_VISITOR;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, IPV6_NETWORK_PARTS);
  return `${network.map((part) => part.toString(16)).join(':')}::/64`;
}

/** Some proxies append the port: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
const withoutPort = (address: string) =>
  address
    .replace(/%.*/, '')
    .replace(/^(\d+(?:\.\d+){3}):\d+/, '$1')
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1');
