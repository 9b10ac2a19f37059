/** A counter of visits and its maximum per period. */
export interface VisitCounter {
  readonly key: string;
  readonly limit: number;
}

const WHOLE_56 = 0xff00;

/** Limits of a /56 and a /48, as multiples of a visitor's: the holder of such a network has thousands of /64. */
const LIMITS_OF_56 = 4;
const LIMITS_OF_48 = 16;

/** A visitor key that is an IPv6 /64, with an optional suffix. */
const IPV6_VISITOR = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64(.*)/;

/**
 * The counters that a visit counts in, the widest network first: for IPv6 those of the /48 and the /56 around the
 * visitor's /64, otherwise only the visitor's own.
 */
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
