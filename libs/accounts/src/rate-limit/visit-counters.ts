/** A counter of visits and the most it takes in a period. */
export interface VisitCounter {
  readonly key: string;
  readonly limit: number;
}

const WHOLE_56 = 0xff00;

/** What a /56 and a /48 may do, in limits of one visitor: whoever has one has thousands of /64. */
const LIMITS_OF_56 = 4;
const LIMITS_OF_48 = 16;

/** A visitor's key that is an IPv6 /64, and what may follow it. */
const IPV6_VISITOR = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64(.*)/;

/**
 * The counters that a visit goes into, the widest first: for IPv6 those of the /48 and the /56 around
 * the visitor's /64, for anybody else the visitor's own alone.
 */
export function countersOf(visitor: string, limit: number): readonly VisitCounter[] {
  const own = { key: visitor, limit };
  // Stryker disable next-line StringLiteral,ArrayDeclaration: all groups are there, or the first is not.
  const [, site, subnet = '', suffix = ''] = IPV6_VISITOR.exec(visitor) ?? [];
  if (site === undefined) return [own];
  const subnets = (Number.parseInt(subnet, 16) & WHOLE_56).toString(16);
  return [
    { key: `${site}:/48${suffix}`, limit: LIMITS_OF_48 * limit },
    { key: `${site}${subnets}::/56${suffix}`, limit: LIMITS_OF_56 * limit },
    own,
  ];
}
