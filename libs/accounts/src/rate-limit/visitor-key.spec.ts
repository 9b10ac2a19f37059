import { visitorKey } from './visitor-key.js';

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
    ['a port without brackets', '::ffff:192.0.2.1:5678', 'local'],
    ['brackets around its beginning', '[2001:db8]::1', 'local'],
    ['brackets around its end', '2001:db8::[1]', 'local'],
    ['a zone', 'fe80::1%eth-0.1', 'fe80:0:0:0::/64'],
  ])('of %s', (_what, address, key) => {
    expect(visitorKey(address)).toBe(key);
  });
});
