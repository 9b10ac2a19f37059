import { countersOf } from './visit-counters.js';

describe('the counters of a visit', () => {
  it.each(['192.0.2.1', 'local', '192.0.2.1:passing', 'x:2001:db8:1:abcd::/64'])(
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
    const keys = countersOf('2001:db8:1:2::/64:passing', 150).map(({ key }) => key);
    expect(keys).toEqual([
      '2001:db8:1::/48:passing',
      '2001:db8:1:0::/56:passing',
      '2001:db8:1:2::/64:passing',
    ]);
  });
});
