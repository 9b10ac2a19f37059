import ipaddr from 'ipaddr.js';

/**
 * Ranges that lie within unicast space for ipaddr.js but not on the public Internet: all of IPv6
 * outside 2000::/3, addresses that wrap an IPv4 one, and what IANA set apart inside 2000::/3.
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
 * Whether an address belongs to none but special uses (RFC 6890 and the IANA registries): loopback,
 * private, link-local, shared, documentation, benchmarking, multicast, translated and reserved ones.
 * Whatever is no address counts too.
 */
export function isSpecialUseAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return true;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return true;
  return parsed instanceof ipaddr.IPv6 && FURTHER.some((range) => parsed.match(range));
}
