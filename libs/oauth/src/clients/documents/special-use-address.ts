import ipaddr from 'ipaddr.js';

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

/**
 * Whether an address is reserved for special use (RFC 6890 and the IANA registries): loopback,
 * private, link-local, shared, documentation, benchmarking, multicast, translated and reserved ones.
 * True also for text that is not an IP address.
 */
export function isSpecialUseAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return true;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return true;
  return parsed instanceof ipaddr.IPv6 && FURTHER.some((range) => parsed.match(range));
}
