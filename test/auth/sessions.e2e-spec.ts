import { sessionsOf } from '../account/own-account.js';
import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { itWithClock } from '../support/services/describe-with.js';

const ME = '/svc/auth/me';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe('sessions (contract: Sessions)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeEach(() => {
    browser = new Browser(gatehouse);
  });

  it('the cookie has the attributes that loopback http allows', async () => {
    const answer = await browser.signUp();
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  it('GET me tells who is signed in, with the budget of the day (contract: Account status)', async () => {
    expect((await browser.get(ME)).json()).toEqual({ user: null, budget: null });
    await browser.signUp('Ann');
    const answer = await browser.get(ME);
    expect(answer.json()).toEqual({
      user: { id: expect.any(String), displayName: 'Ann' },
      budget: { used: 0, limit: 1000, resetsAt: expect.stringMatching(/T00:00:00\.000Z$/) },
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('me is signed out with a cookie of no session', async () => {
    const cookie = `session=${'A'.repeat(43)}`;
    await browser.agent.get(ME).set({ cookie }).expect(200, { user: null, budget: null });
  });

  it('two cookies of the name are signed out', async () => {
    await browser.signUp();
    const own = browser.cookie ?? '';
    const twice = await browser.get(ME, { cookie: `${own}; ${own}` });
    expect(twice.json()).toEqual({ user: null, budget: null });
    expect((await browser.get(ME, { cookie: `a=b; ${own}; c=d` })).json()['user']).not.toBeNull();
  });

  it.each([
    ['own Origin', () => ({ origin: gatehouse.origin }), true],
    ['foreign Origin', () => ({ origin: 'https://evil.example' }), false],
    ['Sec-Fetch-Site same-site', () => ({ 'sec-fetch-site': 'same-site' }), false],
    ['a foreign Referer', () => ({ referer: 'https://evil.example/' }), false],
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
    const isIn = async () => (await browser.me()).user !== null;
    /** Seconds from the sign-in to the session's end and to its last recorded use; this request is a use too. */
    const noted = async () => {
      await browser.me();
      const [{ createdAt = 0, expiresAt = 0, lastSeenAt = 0 } = {}] = await sessionsOf(browser);
      return [expiresAt - createdAt, lastSeenAt - createdAt];
    };
    const about = (ms: number) => expect.closeTo(ms / 1000, -2);

    beforeEach(() => browser.signUp());

    itWithClock('ends after 7 days without use', async () => {
      advanceClock(7 * DAY_MS - MINUTE_MS);
      expect(await isIn()).toBe(true);
      advanceClock(7 * DAY_MS + 1);
      expect(await isIn()).toBe(false);
    });

    itWithClock('idle: use moves the end to 7 days from then', async () => {
      expect(await noted()).toEqual([about(7 * DAY_MS), about(0)]);
      advanceClock(DAY_MS);
      expect(await noted()).toEqual([about(8 * DAY_MS), about(DAY_MS)]);
    });

    itWithClock('absolute: ends 30 days from sign-in, however much it is used', async () => {
      for (let day = 6; day <= 24; day += 6) {
        advanceClock(6 * DAY_MS);
        expect(await isIn()).toBe(true);
      }
      expect(await noted()).toEqual([about(30 * DAY_MS), about(24 * DAY_MS)]);
      advanceClock(6 * DAY_MS + 1);
      expect(await isIn()).toBe(false);
    });

    itWithClock('use is noted at most every five minutes', async () => {
      advanceClock(4 * MINUTE_MS);
      expect(await noted()).toEqual([about(7 * DAY_MS), about(0)]);
      advanceClock(2 * MINUTE_MS);
      expect((await noted())[1]).toEqual(about(6 * MINUTE_MS));
    });

    itWithClock('use is noted every second where an account has 50 sessions', async () => {
      const cookie = browser.cookie;
      for (let n = 1; n < 50; n += 1) {
        browser.cookie = undefined;
        await browser.signIn();
      }
      browser.cookie = cookie;
      advanceClock(4 * MINUTE_MS);
      expect((await noted())[1]).toEqual(about(4 * MINUTE_MS));
    });
  });
});
