import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const ME = '/svc/auth/me';
const DAY = 24 * 60 * 60 * 1000;

describe('sessions (contract: Sessions)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  const stored = () => gatehouse.app.get(DataSource).manager;
  const userId = async () => (await browser.me()).user?.id;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ SESSION_IDLE_DAYS: '7', SESSION_MAX_DAYS: '30' });
  });
  beforeEach(() => {
    browser = new Browser(gatehouse);
  });
  afterAll(() => gatehouse.stop());

  it('the cookie has the attributes that loopback http allows', async () => {
    const answer = await browser.signUp();
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('the token is not stored, its SHA-256 is', async () => {
    await browser.signUp();
    const token = browser.cookie?.split('=')[1] ?? '';
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(token));
    const rows = JSON.stringify(await stored().find('sessions'));
    expect(rows).toContain(Buffer.from(digest).toString('base64url'));
    expect(rows).not.toContain(token);
  });

  it('GET me tells who is signed in, with the budget of the day (contract: Account status)', async () => {
    expect((await browser.get(ME)).json()).toEqual({ user: null, budget: null });
    await browser.signUp('Ann');
    const midnight = new Date(Math.ceil(Date.now() / DAY) * DAY).toISOString();
    const answer = await browser.get(ME);
    expect(answer.json()).toEqual({
      user: { id: expect.any(String), displayName: 'Ann' },
      budget: { used: 0, limit: 1000, resetsAt: midnight },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['unknown token', `session=${'A'.repeat(43)}`],
    ['4 KB of token', `session=${'A'.repeat(4096)}`],
    ['no token', 'session='],
    ['only semicolons', ';;;;=;=;'],
    ['prototype names', `__proto__=${'A'.repeat(43)}; constructor=1`],
  ])('me is signed out with a cookie of %s', async (_what, cookie) => {
    await browser.agent.get(ME).set({ cookie }).expect(200, { user: null, budget: null });
  });

  it('two cookies of the name are signed out', async () => {
    await browser.signUp();
    const own = browser.cookie ?? '';
    for (const cookie of [`${own}; ${own}`, `${own}; session=x`, `session=; ${own}`]) {
      expect((await browser.get(ME, { cookie })).json()).toEqual({ user: null, budget: null });
    }
    expect((await browser.get(ME, { cookie: `a=b; ${own}; c=d` })).json()['user']).not.toBeNull();
  });

  it('on http the __Host- name is not read', async () => {
    await browser.signUp();
    const cookie = `__Host-${browser.cookie}`;
    expect((await browser.get(ME, { cookie })).json()['user']).toBeNull();
  });

  it.each([
    ['own Origin', () => ({ origin: gatehouse.origin }), true],
    ['foreign Origin', () => ({ origin: 'https://evil.example' }), false],
    ['Origin null', () => ({ origin: 'null' }), false],
    ['Sec-Fetch-Site same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), true],
    ['Sec-Fetch-Site none', () => ({ 'sec-fetch-site': 'none' }), true],
    ['Sec-Fetch-Site same-site', () => ({ 'sec-fetch-site': 'same-site' }), false],
    ['Sec-Fetch-Site cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), false],
    ['a foreign Referer', () => ({ referer: 'https://evil.example/' }), false],
    ['an own Referer', () => ({ referer: `${gatehouse.origin}/page` }), true],
    ['none of these', () => ({}), true],
  ])('the cookie with %s: believed %#', async (_sign, headers, believed) => {
    await browser.signUp();
    const answer = await browser.agent.get(ME).set(headers()).expect(200);
    expect(answer.body.user !== null).toBe(believed);
  });

  it('POST logout ends the session and clears the cookie', async () => {
    await browser.signUp();
    const cookie = browser.cookie ?? '';
    const answer = await browser.post('/svc/auth/logout');
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toEqual([
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect((await browser.get(ME, { cookie })).json()['user']).toBeNull();
  });

  it('POST logout without a session is 204 too', async () => {
    expect((await browser.post('/svc/auth/logout')).status).toBe(204);
  });

  it('POST logout with a cookie that is not believed ends nothing', async () => {
    await browser.signUp();
    const cookie = browser.cookie ?? '';
    const headers = { 'sec-fetch-site': 'same-site' };
    expect((await browser.post('/svc/auth/logout', '', headers)).status).toBe(204);
    expect((await browser.get(ME, { cookie })).json()['user']).not.toBeNull();
  });

  describe('lifetime', () => {
    const HOUR = 60 * 60 * 1000;

    /** Makes the browser's session look as if it had been used at other times. */
    const rewrite = async (times: {
      createdAt?: number;
      lastSeenAt?: number;
      expiresAt?: number;
    }) => stored().update('sessions', { userId: await userId() }, times);
    const session = async () =>
      stored().findOneOrFail<{ userId: string; lastSeenAt: number; expiresAt: number }>(
        'sessions',
        {
          where: { userId: (await userId()) ?? '' },
        },
      );

    beforeEach(() => browser.signUp());

    it('ends when it has expired', async () => {
      await rewrite({ expiresAt: Date.now() - 1 });
      expect((await browser.me()).user).toBeNull();
    });

    it('idle: use moves the end to 7 days from now', async () => {
      const now = Date.now();
      await rewrite({ lastSeenAt: now - HOUR, expiresAt: now + HOUR });
      const { lastSeenAt, expiresAt } = await session();
      expect(lastSeenAt).toBeGreaterThanOrEqual(now);
      expect(expiresAt).toBe(lastSeenAt + 7 * DAY);
    });

    it('absolute: use never moves the end past 30 days from sign-in', async () => {
      const createdAt = Date.now() - 30 * DAY + HOUR;
      await rewrite({ createdAt, lastSeenAt: Date.now() - HOUR });
      expect((await session()).expiresAt).toBe(createdAt + 30 * DAY);
    });

    it('use is noted at most every five minutes', async () => {
      const lastSeenAt = Date.now() - 4 * 60 * 1000;
      await rewrite({ lastSeenAt });
      expect((await session()).lastSeenAt).toBe(lastSeenAt);
    });
  });
});
