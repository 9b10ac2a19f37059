import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const BUDGET_BYTES = 5 * 1024 * 1024;
const DAY_SECONDS = 24 * 60 * 60;
const AT_ONCE = 32;

/** The largest registration that is accepted. */
const LARGE = JSON.stringify({
  redirect_uris: Array.from({ length: 8 }, (_, n) => `https://a.example/${n}${'x'.repeat(1_900)}`),
  token_endpoint_auth_method: 'none',
});

/** The headers that a browser sends with the `fetch` of a foreign page, to which CORS gives the answer. */
const FOREIGN_PAGE = {
  origin: 'https://evil.example',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
};

describe('the room for registrations (contract: Client registration)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ TRUSTED_PROXIES: 'loopback' }));
  let browser: Browser;
  let app: OAuthClient;

  const register = (address: string, body = LARGE, further: Record<string, string> = {}) =>
    browser.send('POST', '/svc/oauth/register', body, {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...further,
    });
  /**
   * Registers from one address after the other, many at once, until no registration is admitted. A busy machine may
   * refuse some (503), which are retried.
   */
  const fill = async (addressOf: (n: number) => string, further: Record<string, string> = {}) => {
    let accepted = 0;
    for (let n = 0; ; n += AT_ONCE) {
      const calls = Array.from({ length: AT_ONCE }, (_, m) =>
        register(addressOf(n + m), LARGE, further),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => ![201, 429, 503].includes(status))).toEqual([]);
      accepted += statuses.filter((status) => status === 201).length;
      if (!statuses.includes(201) && !statuses.includes(503)) return accepted;
    }
  };

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    app = await OAuthClient.register(gatehouse);
  });

  it('is 5 MiB a day for all of an IPv6 /48, however many register at once; 429 then', async () => {
    const accepted = await fill((n) => `2001:db8:7:${n.toString(16)}::${n}`);
    expect(accepted * LARGE.length).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(accepted * LARGE.length).toBeGreaterThan(0.9 * BUDGET_BYTES);

    const refused = await register('2001:db8:7:ffff::1');
    expect([refused.status, refused.json()['error']]).toEqual([429, 'temporarily_unavailable']);
    expect(refused.json()['error_description']).toMatch(/your network today; try again in 24 h/);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(DAY_SECONDS - 600);
    expect(retryAfter).toBeLessThanOrEqual(DAY_SECONDS);

    // Invalid registrations are refused before they use any room.
    const bad = LARGE.replace('https://a.example', 'http://a.example');
    expect((await register('2001:db8:7:ffff::1', bad)).status).toBe(400);
    expect((await register('2001:db8:8::1')).status).toBe(201);
    expect((await register('203.0.113.2')).status).toBe(201);
    expect((await app.connect(browser)).scope).toBe('account:read');
  });

  it('is spent to a half at most by pages of others, which the visitor only looks at', async () => {
    const half = await fill(() => '203.0.113.5', FOREIGN_PAGE);
    expect(half * LARGE.length).toBeLessThanOrEqual(BUDGET_BYTES / 2);
    expect(half * LARGE.length).toBeGreaterThan(0.4 * BUDGET_BYTES);
    const all = half + (await fill(() => '203.0.113.5'));
    expect(all * LARGE.length).toBeLessThanOrEqual(BUDGET_BYTES);
    expect(all * LARGE.length).toBeGreaterThan(0.9 * BUDGET_BYTES);
    expect((await register('203.0.113.6', LARGE, FOREIGN_PAGE)).status).toBe(201);
  });
});
