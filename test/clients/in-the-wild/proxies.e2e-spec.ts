import { Browser } from '../../support/browser.js';
import { type Gatehouse, startGatehouse } from '../../support/gatehouse.js';
import { OAuthClient } from '../../support/oauth-client.js';
import { ProxiedBrowser } from '../../support/proxied-browser.js';

const GATE = 'https://gate.example';
const ME = '/svc/auth/me';
const AUTHORIZE = '/svc/oauth/authorize';
const MAX = 3;

type Headers = Record<string, string>;

describe('what proxies send, by product (contract: What is forgiven)', () => {
  let gatehouse: Gatehouse;
  let addresses = 0;

  const start = async (variables: Headers = {}) => {
    gatehouse = await startGatehouse({
      PUBLIC_ORIGINS: GATE,
      TRUSTED_PROXIES: 'loopback,10.0.0.0/8,fd00::/8',
      ...variables,
    });
  };
  const browser = () => new ProxiedBrowser(gatehouse, GATE);
  /** An unused last part of an address. */
  const unused = () => (addresses += 1);
  /** How many of `MAX + 2` requests are admitted; `headersOf` gets the client's port, which changes. */
  const admitted = async (headersOf: (port: number) => Headers) => {
    const calls = Array.from({ length: MAX + 2 }, (_, n) =>
      browser().post('/svc/auth/login/options', {}, headersOf(50_000 + n)),
    );
    return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
  };
  const limits = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_PERIOD: '3600' };

  describe('X-Forwarded-For (contract: Visitor limit)', () => {
    beforeAll(() => start(limits));
    afterAll(() => gatehouse.stop());

    const v4 = (n: number) => `203.0.113.${n}`;
    const v6 = (n: number) => `2001:db8:${n}::7`;
    const from = (value: string) => ({ 'x-forwarded-for': value });

    it.each<[string, (address: string, port: number) => string, ((n: number) => string)?]>([
      ['Azure Application Gateway: the client with its port', (a, port) => `${a}:${port}`],
      ['IIS and a gateway: both with ports', (a, port) => `${a}:${port}, 10.0.0.2:4711`],
      ['a gateway in front of nginx: the hop with a port', (a) => `${a}, 10.0.0.2:4711`],
      ['two gateways: every hop with a port', (a) => `${a}, 10.0.0.3:1, 10.0.0.2:65535`],
      ['nginx: no ports', (a) => `${a}, 10.0.0.2`],
      ['AWS ALB: IPv6 with a port', (a, port) => `[${a}]:${port}`, v6],
      ['AWS ALB: an IPv6 hop with a port', (a) => `${a}, [fd00::2]:443`],
      ['HAProxy: IPv6 in brackets', (a) => `[${a}], [fd00::2]`, v6],
      ['Caddy: bare IPv6', (a) => `${a}, fd00::2`, v6],
      ['a proxy that quotes as RFC 7239 does', (a, port) => `"[${a}]:${port}", "[fd00::2]"`, v6],
      ['a proxy that quotes IPv4', (a, port) => `"${a}:${port}", "10.0.0.2:4711"`],
      ['YARP on a socket of both kinds: mapped', (a) => `::ffff:${a}, ::ffff:10.0.0.2`],
      ['YARP: mapped, with ports', (a, port) => `[::ffff:${a}]:${port}, [::ffff:10.0.0.2]:80`],
      ['Kestrel: mapped, a port without brackets', (a) => `::ffff:${a}:9, ::ffff:10.0.0.2:80`],
      ['a proxy that puts tabs between', (a) => `${a}\t,\t10.0.0.2:4711\t`],
      ['a proxy that leaves an entry empty', (a) => `${a}, , 10.0.0.2:4711`],
    ])('%s: visitors stay apart', async (_product, valueOf, addressOf = v4) => {
      const [one, other] = [addressOf(unused()), addressOf(unused())];
      expect(await admitted((port) => from(valueOf(one, port)))).toBe(MAX);
      expect(await admitted((port) => from(valueOf(other, port)))).toBe(MAX);
    });

    it.each<[string, (claim: string) => string]>([
      ['a bare address', (claim) => claim],
      ['an address with a port', (claim) => `${claim}:80`],
      ['a trusted hop with a port', () => '10.0.0.9:80'],
      ['a trusted hop in brackets', () => '"[fd00::9]"'],
      ['a comma inside quotes', (claim) => `"${claim}, 10.0.0.9"`],
      ['an open bracket', (claim) => `[${claim}`],
    ])('a client that sends %s of its own is still itself', async (_what, valueOf) => {
      const client = v4(unused());
      const entry = (port: number) => `${valueOf(v4(port % 100))}, ${client}:${port}`;
      expect(await admitted((port) => from(`${entry(port)}, 10.0.0.2:4711`))).toBe(MAX);
    });

    // The entry that the trusted hop added: what cannot be read is one visitor, with all others of its kind.
    it('entries that are no address are one visitor together', async () => {
      const rubbish = [
        (n: number) => `unknown${n}`,
        (n: number) => `203.0.113.${n}:port`,
        (n: number) => `203.0.113.${n}:123456`,
        (n: number) => `203.0.113.${n}:80:80`,
        (n: number) => `203.0.113.${n}:`,
        (n: number) => `203.0.113.0${n}`,
        (n: number) => `0xcb.0.113.${n}`,
        (n: number) => `203.0.113.${n}/32`,
        (n: number) => `203.0.113.${n}%1`,
        (n: number) => `[203.0.113.${n}`,
        (n: number) => `2001:db8:${n}::1]:80`,
        (n: number) => `2001:db8:0:0:0:0:${n}:1:443`,
        (n: number) => `"203.0.113.${n}`,
        (n: number) => `for=203.0.113.${n}`,
      ];
      const calls = rubbish.map((entry) =>
        browser().post('/svc/auth/login/options', {}, from(`${entry(unused())}, 10.0.0.2:1`)),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(MAX);
    });
  });

  describe('CLIENT_ADDRESS_HEADER (contract: Visitor limit)', () => {
    beforeAll(() => start({ ...limits, CLIENT_ADDRESS_HEADER: 'X-Real-IP' }));
    afterAll(() => gatehouse.stop());

    it.each<[string, (n: number, port: number) => string]>([
      ['nginx: the address', (n) => `203.0.113.${n}`],
      ['Azure Front Door: with a port', (n, port) => `203.0.113.${n}:${port}`],
      ['IPv6 with a port', (n, port) => `[2001:db8:${n}::1]:${port}`],
      ['IPv6 in quotes', (n) => `"[2001:db8:${n}::1]"`],
    ])('%s', async (_product, valueOf) => {
      for (const n of [unused(), unused()]) {
        expect(await admitted((port) => ({ 'x-real-ip': valueOf(n, port) }))).toBe(MAX);
      }
    });

    it('a list is one visitor with all others that cannot be read', async () => {
      const list = (port: number) => ({ 'x-real-ip': `203.0.113.${port % 100}, 198.51.100.9` });
      expect(await admitted(list)).toBe(MAX);
      expect(await admitted(() => ({ 'x-real-ip': 'unknown' }))).toBe(0);
    });
  });

  describe('with the origin (contract: Origin)', () => {
    it('a proxy that keeps idle connections for two minutes: told 125 seconds', async () => {
      const { headers } = await browser().send('GET', ME);
      expect(headers['keep-alive']).toBe('timeout=125');
    });

    beforeAll(() => start());
    afterAll(() => gatehouse.stop());

    it.each([
      ['IIS: HTTPS', 'HTTPS'],
      ['a load balancer: Https', 'Https'],
      ['two proxies: https,http', 'https,http'],
      ['two proxies: HTTPS, HTTP', 'HTTPS, HTTP'],
      ['Traefik, on an upgrade: wss', 'wss'],
    ])('X-Forwarded-Proto of %s is https', async (_product, scheme) => {
      expect((await browser().get(ME, { 'x-forwarded-proto': scheme })).status).toBe(200);
    });

    it.each(['http', 'HTTP', 'ws', 'http, https', 'httpss', 'https:', 'on', ', https', '"https"'])(
      'X-Forwarded-Proto "%s" is not',
      async (scheme) => {
        const { status } = await browser().get(ME, { 'x-forwarded-proto': scheme });
        expect([400, 421]).toContain(status);
      },
    );
  });

  describe('a proxy that sets Referrer-Policy: no-referrer, so that browsers send Origin: null', () => {
    beforeAll(async () => {
      gatehouse = await startGatehouse();
    });
    afterAll(() => gatehouse.stop());

    const bare = { origin: 'null' };
    const page = {
      ...bare,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const answered = async (headers: Headers) => {
      const ann = new Browser(gatehouse);
      await ann.signUp();
      const client = await OAuthClient.register(gatehouse);
      const handle = await client.showConsent(ann);
      const form = `handle=${handle}&decision=approve&scope=account%3Aread`;
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return ann.post(AUTHORIZE, form, { ...type, ...headers });
    };

    it('the consent form: 302 with a code (contract: Consent)', async () => {
      const { status, headers } = await answered(page);
      expect(status).toBe(302);
      expect(new URL(headers.location ?? '').searchParams.has('code')).toBe(true);
    });

    it.each<[string, Headers]>([
      ['a sandboxed frame of another site', { ...page, 'sec-fetch-site': 'cross-site' }],
      ['a page of a sibling host', { ...page, 'sec-fetch-site': 'same-site' }],
      ['the address bar', { ...page, 'sec-fetch-site': 'none' }],
      ['a browser without Fetch Metadata', bare],
      ['two values', { ...page, 'sec-fetch-site': 'same-origin, cross-site' }],
      ['another spelling', { ...page, 'sec-fetch-site': 'Same-Origin' }],
      ['an origin that is not null', { ...page, origin: 'https://evil.example' }],
      ['an empty origin', { ...page, origin: '' }],
      ['null in another case', { ...page, origin: 'NULL' }],
      ['a script of a page', { ...page, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
      ['a frame of the site', { ...page, 'sec-fetch-dest': 'iframe' }],
    ])('the consent form from %s: 403 (contract: Consent)', async (_from, headers) => {
      expect((await answered(headers)).status).toBe(403);
    });

    it('elsewhere the cookie of such a request is not believed (contract: Sessions)', async () => {
      const ann = new Browser(gatehouse);
      await ann.signUp();
      expect((await ann.get(ME, page)).json()).toMatchObject({ user: null });
      expect((await ann.post('/svc/me/recovery-codes', {}, page)).status).toBe(401);
      expect((await ann.get('/svc/me/apps', page)).status).toBe(401);
    });

    it('under /svc/auth/: 403, which says what may be the cause (contract: Accounts)', async () => {
      const answer = await new Browser(gatehouse).post('/svc/auth/login/options', {}, page);
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: expect.stringMatching(/^cross-origin request.*Referrer-Policy: no-referrer/) },
      ]);
    });
  });
});
