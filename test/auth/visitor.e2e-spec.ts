import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const MAX = 5;
/** A period too long to end while a test runs. */
const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: '3600' };

type Headers = Record<string, string>;
const from = (...addresses: string[]): Headers => ({ 'x-forwarded-for': addresses.join(', ') });

/** Headers that claim an address, under every common name. */
const claiming = (address: string): Headers => ({
  ...from(address),
  forwarded: `for=${address}`,
  'x-real-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
  'x-client-ip': address,
  'x-cluster-client-ip': address,
});

describe('the visitor that a request is counted for (contract: Visitor limit)', () => {
  let gatehouse: Gatehouse;
  let visitors = 0;

  const start = async (variables: Headers) => {
    gatehouse = await startGatehouse({ ...limits, ...variables });
  };
  /** An unused address. */
  const address = () => `198.51.100.${(visitors += 1)}`;
  /** How many of these concurrent requests are admitted. */
  const admitted = async (visits: Headers[]) => {
    const browser = new Browser(gatehouse);
    const calls = visits.map((headers) => browser.post('/svc/auth/login/options', {}, headers));
    return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
  };
  const many = (headers: (n: number) => Headers) =>
    Array.from({ length: 4 * MAX }, (_, n) => headers(n));
  const always = (headers: Headers) => many(() => headers);
  const claimed = () => many((n) => claiming(`203.0.113.${n}`));

  describe('with TRUSTED_PROXIES=loopback', () => {
    beforeAll(() => start({ TRUSTED_PROXIES: 'loopback' }));
    afterAll(() => gatehouse.stop());

    it('is an address: each has a counter of its own', async () => {
      const [one, other] = [always(from(address())), always(from(address()))];
      expect(await Promise.all([admitted(one), admitted(other)])).toEqual([MAX, MAX]);
    });

    it('is the right-most address of X-Forwarded-For that is not a trusted proxy', async () => {
      const mine = address();
      expect(await admitted(many((n) => from(`203.0.113.${n}`, mine, '127.0.0.1')))).toBe(MAX);
      expect(await admitted(always(from(address(), mine)))).toBe(0);
    });

    it('is not what another header claims', async () => {
      const mine = address();
      expect(await admitted(many((n) => ({ ...claiming(`203.0.113.${n}`), ...from(mine) })))).toBe(
        MAX,
      );
    });

    it('is a /64 network of IPv6', async () => {
      expect(await admitted(many((n) => from(`2001:db8:7:1:${n}::${n}`)))).toBe(MAX);
      expect(await admitted(always(from('2001:db8:7:2::1')))).toBe(MAX);
    });

    it('is also a /56 of four and a /48 of sixteen times the limit', async () => {
      const few = (n: number) => from(`2001:db8:8:${n.toString(16)}::1`);
      const wide = (n: number) => from(`2001:db8:8:${(n + 1).toString(16)}00::1`);
      const of = (count: number, headers: (n: number) => Headers) =>
        admitted(Array.from({ length: count }, (_, n) => headers(n)));
      expect(await of(64, few)).toBe(4 * MAX);
      expect(await of(128, wide)).toBe(16 * MAX - 4 * MAX);
      expect(await admitted(always(from('2001:db8:9::1')))).toBe(MAX);
    });

    it('is `local` without an address that makes sense', async () => {
      const odd = ['', 'unknown', 'a.example', '192.0.2.1.5', '%00', '_hidden', 'x'.repeat(5000)];
      expect(await admitted(many((n) => from(odd[n % odd.length] ?? '')))).toBe(MAX);
      expect(await admitted(always({}))).toBe(0);
      expect(await admitted(always(from(address())))).toBe(MAX);
    });
  });

  describe('with TRUSTED_PROXIES=loopback and CLIENT_ADDRESS_HEADER=X-Real-IP', () => {
    beforeAll(() => start({ TRUSTED_PROXIES: 'loopback', CLIENT_ADDRESS_HEADER: 'X-Real-IP' }));
    afterAll(() => gatehouse.stop());

    it('is what that header says', async () => {
      expect(await admitted(claimed())).toBe(4 * MAX);
      expect(await admitted(always({ 'x-real-ip': address() }))).toBe(MAX);
    });

    it('is not what X-Forwarded-For or another header says', async () => {
      const mine = { 'x-real-ip': address() };
      expect(await admitted(many((n) => ({ ...claiming(`203.0.113.${n}`), ...mine })))).toBe(MAX);
    });

    it('is `local` when the header is missing or makes no sense', async () => {
      const odd: Headers[] = [
        from(address()),
        { 'x-real-ip': 'me' },
        { 'x-real-ip': '1.2.3.4, 5.6.7.8' },
      ];
      expect(await admitted(many((n) => odd[n % odd.length] ?? {}))).toBe(MAX);
    });
  });

  it.each<[string, Headers]>([
    ['without TRUSTED_PROXIES', {}],
    ['when the peer is not among TRUSTED_PROXIES', { TRUSTED_PROXIES: '192.0.2.1' }],
    [
      'when the peer is not among TRUSTED_PROXIES, whatever CLIENT_ADDRESS_HEADER is',
      { TRUSTED_PROXIES: '192.0.2.1', CLIENT_ADDRESS_HEADER: 'X-Real-IP' },
    ],
  ])('is `local` %s', async (_when, variables) => {
    await start(variables);
    try {
      expect(await admitted(claimed())).toBe(MAX);
      expect(await admitted(always({}))).toBe(0);
    } finally {
      await gatehouse.stop();
    }
  });
});
