import { countersOf, isCrossSiteSubrequest, visitorAt, visitorKey } from './visitor.js';

describe('visitor key', () => {
  it.each([
    ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
    ['an IPv4 address with a port', '192.0.2.1:5678', '192.0.2.1'],
    ['an IPv4 address with two digits at its end', '192.0.2.10:5678', '192.0.2.10'],
    ['an IPv4 address in IPv6 clothes', '::ffff:192.0.2.1', '192.0.2.1'],
    ['an IPv6 address by its network', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['a neighbour in that network', '2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['an IPv6 address with a port', '[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['an IPv6 address in brackets', '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['nothing', undefined, 'local'],
    ['an empty value', '', 'local'],
    ['a name', 'visitor.example', 'local'],
    ['a list', '192.0.2.1, 192.0.2.2', 'local'],
    ['a number', '1', 'local'],
    ['a hexadecimal address', '0x7f.0.0.1', 'local'],
    ['a mapped address with a port', '::ffff:192.0.2.1:5678', '192.0.2.1'],
    ['a mapped address in brackets with a port', '[::ffff:192.0.2.1]:5678', '192.0.2.1'],
    ['an address in quotes', '"192.0.2.1:5678"', '192.0.2.1'],
    ['an IPv6 address in quotes and brackets', '"[2001:db8:1:2::9]"', '2001:db8:1:2::/64'],
    ['an address with white space around it', ' 192.0.2.1\t', '192.0.2.1'],
    ['half a quote', '"192.0.2.1', 'local'],
    ['quotes around its beginning', '"192.0."2.1', 'local'],
    ['quotes around its end', '192.0."2.1"', 'local'],
    ['a port of six digits', '192.0.2.1:123456', 'local'],
    ['an IPv6 port of six digits', '[2001:db8:1:2::9]:123456', 'local'],
    ['a port that is no number', '192.0.2.1:http', 'local'],
    ['two ports', '192.0.2.1:80:80', 'local'],
    ['an IPv6 address with a port and no brackets', '2001:db8:0:0:0:0:0:1:443', 'local'],
    ['an IPv4 address with a zone', '192.0.2.1%1', 'local'],
    ['a port before brackets', '443:[2001:db8::1]', 'local'],
    ['empty brackets', '[]:443', 'local'],
    ['brackets around its beginning', '[2001:db8]::1', 'local'],
    ['brackets around its end', '2001:db8::[1]', 'local'],
    ['a zone', 'fe80::1%eth-0.1', 'fe80:0:0:0::/64'],
  ])('of %s', (_what, address, key) => {
    expect(visitorKey(address)).toBe(key);
  });
});

describe('the counters of a visit', () => {
  it.each(['192.0.2.1', 'local', '192.0.2.1:foreign', 'x:2001:db8:1:abcd::/64'])(
    'of %s: one',
    (visitor) => {
      expect(countersOf(visitor, 300)).toEqual([{ key: visitor, limit: 300 }]);
    },
  );

  it('of an IPv6 visitor: those of the /48 and the /56 around him first', () => {
    expect(countersOf('2001:db8:1:abcd::/64', 300)).toEqual([
      { key: '2001:db8:1::/48', limit: 4800 },
      { key: '2001:db8:1:ab00::/56', limit: 1200 },
      { key: '2001:db8:1:abcd::/64', limit: 300 },
    ]);
  });

  it.each([
    ['2001:db8:1:0::/64', '2001:db8:1:0::/56'],
    ['2001:db8:1:ff::/64', '2001:db8:1:0::/56'],
    ['2001:db8:1:100::/64', '2001:db8:1:100::/56'],
    ['2001:db8:1:1ff::/64', '2001:db8:1:100::/56'],
  ])('%s is in %s', (visitor, network) => {
    expect(countersOf(visitor, 1)[1]?.key).toBe(network);
  });

  it('keep apart what pages of others did', () => {
    const keys = countersOf('2001:db8:1:2::/64:foreign', 150).map(({ key }) => key);
    expect(keys).toEqual([
      '2001:db8:1::/48:foreign',
      '2001:db8:1:0::/56:foreign',
      '2001:db8:1:2::/64:foreign',
    ]);
  });
});

const headers = (site?: string, mode?: string, dest?: string) =>
  Object.fromEntries(
    Object.entries({ site, mode, dest }).map(([name, value]) => [`sec-fetch-${name}`, value]),
  );

describe('a cross-site subrequest', () => {
  it.each([
    ['an image', 'cross-site', 'no-cors', 'image'],
    ['an image of a sibling', 'same-site', 'no-cors', 'image'],
    ['a fetch', 'cross-site', 'cors', 'empty'],
    ['a socket', 'cross-site', 'websocket', 'websocket'],
    ['a frame', 'cross-site', 'navigate', 'iframe'],
    ['an object', 'same-site', 'navigate', 'object'],
    ['a request with no further fetch metadata', 'cross-site', undefined, undefined],
  ])('is %s', (_what, site, mode, dest) => {
    expect(isCrossSiteSubrequest(headers(site, mode, dest))).toBe(true);
  });

  it('is a page that is fetched ahead', () => {
    const ahead = { ...headers('cross-site', 'navigate', 'document'), 'sec-purpose': 'prefetch' };
    expect(isCrossSiteSubrequest(ahead)).toBe(true);
  });

  it.each([
    ['a link, which the person followed', 'cross-site', 'navigate', 'document'],
    ['a link of a sibling', 'same-site', 'navigate', 'document'],
    ['a navigation with no destination', 'cross-site', 'navigate', undefined],
    ['what our own pages fetch', 'same-origin', 'cors', 'empty'],
    ['a bookmark', 'none', 'navigate', 'document'],
    ['a client that is no browser', undefined, undefined, undefined],
    ['a client that claims a mode alone', undefined, 'no-cors', 'image'],
  ])('is not %s', (_what, site, mode, dest) => {
    expect(isCrossSiteSubrequest(headers(site, mode, dest))).toBe(false);
  });
});

describe('the visitor at an address', () => {
  it.each([
    ['192.0.2.1:5678', '192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    [undefined, 'local', 'local'],
  ])('%s is %s, in the network %s', (address, key, network) => {
    expect(visitorAt(address, 300)).toEqual({ key, network, limit: 300 });
  });
});
