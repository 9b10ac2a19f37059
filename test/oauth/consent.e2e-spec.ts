import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const MINUTE = 60 * 1000;
const AUTHORIZE = '/svc/oauth/authorize';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const APPROVAL: [string, string][] = [
  ['decision', 'approve'],
  ['scope', 'account:read'],
];
const ALL = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

describe('POST /svc/oauth/authorize (contract: Consent)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  const form = (fields: [string, string][]) => new URLSearchParams(fields).toString();
  const answer = (handle: string, scopes = ['account:read'], whose = browser) =>
    client.answerConsent(whose, handle, scopes);
  const refused = (given: Answer, status = 400) => {
    expect([given.status, given.headers.location]).toEqual([status, undefined]);
    expect(given.headers['content-type']).toMatch(/^text\/plain/);
    expect(given.headers['cache-control']).toBe('no-store');
  };
  const atClient = ({ status, headers }: Answer) => {
    expect([status, headers['cache-control']]).toEqual([302, 'no-store']);
    expect(headers.location?.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    const query = new URL(headers.location ?? '').searchParams;
    expect(query.getAll('iss')).toEqual([gatehouse.origin]);
    return query;
  };
  const denied = (given: Answer) => {
    const query = atClient(given);
    expect([query.get('error'), query.get('state')]).toEqual(['access_denied', client.state]);
    expect(query.has('code')).toBe(false);
  };
  /** The scope of the token that the form's answer leads to. */
  const scopeOf = async (given: Answer) => {
    const code = atClient(given).get('code') ?? '';
    return (await client.exchange(code)).json<TokenResponse>().scope;
  };
  const appsOf = async (whose = browser) =>
    (await whose.get('/svc/me/apps')).json<{ apps: { scope: string[] }[] }>().apps;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    client = await OAuthClient.register(gatehouse);
  });

  it('approved: 302 with exactly one code, state and iss, nothing in the fragment', async () => {
    const given = await answer(await client.showConsent(browser));
    const query = atClient(given);
    expect([...query.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect(query.get('code')).toMatch(/^[\w-]{43}$/);
    expect(query.get('state')).toBe(client.state);
    expect(given.headers.location).not.toContain('#');
    expect(given.headers['referrer-policy']).toBe('no-referrer');
    expect(given.text).toBe('');
    expect(given.headers['set-cookie']).toBeUndefined();
    expect(given.headers['access-control-allow-origin']).toBeUndefined();
  });

  describe('the handle', () => {
    it('is 32 random bytes, another in every form', async () => {
      const handles = [await client.showConsent(browser), await client.showConsent(browser)];
      for (const handle of handles) expect(handle).toMatch(/^[\w-]{43}$/);
      expect(new Set(handles).size).toBe(2);
    });

    it('is good once: no second code, and the first one stays good', async () => {
      const handle = await client.showConsent(browser);
      const code = atClient(await answer(handle)).get('code') ?? '';
      refused(await answer(handle));
      refused(await client.answerConsent(browser, handle, [], 'deny'));
      expect((await client.exchange(code)).status).toBe(200);
    });

    it('a denial uses it up too', async () => {
      const handle = await client.showConsent(browser);
      denied(await client.answerConsent(browser, handle, ALL, 'deny'));
      refused(await answer(handle));
      expect(await appsOf()).toEqual([]);
    });

    it.each(['', 'A'.repeat(43), 'A'.repeat(5_000)])('forged %#: 400', async (handle) =>
      refused(await answer(handle)),
    );

    it('given twice: the first counts or none', async () => {
      const handle = await client.showConsent(browser);
      const twice = `handle=x&handle=${handle}&scope=account:read&decision=approve`;
      refused(await browser.post(AUTHORIZE, twice, FORM));
    });

    itWithClock('is good for 10 minutes', async () => {
      const [early, late] = [await client.showConsent(browser), await client.showConsent(browser)];
      advanceClock(9 * MINUTE);
      expect(atClient(await answer(early)).has('code')).toBe(true);
      advanceClock(MINUTE);
      refused(await answer(late));
    });

    it('of another session of the same user: 400, and still good in its own', async () => {
      const handle = await client.showConsent(browser);
      const other = new Browser(gatehouse, browser.authenticator);
      await other.signIn();
      refused(await answer(handle, ALL, other));
      expect(atClient(await answer(handle)).has('code')).toBe(true);
    });

    it('of another user: 400, and neither has an app of it', async () => {
      const handle = await client.showConsent(browser);
      const eve = new Browser(gatehouse);
      await eve.signUp('Eve');
      refused(await answer(handle, ALL, eve));
      expect([await appsOf(), await appsOf(eve)]).toEqual([[], []]);
    });

    it('of another origin of the service: 401, and still good on its own', async () => {
      const handle = await client.showConsent(browser);
      const fields = form([['handle', handle], ...APPROVAL]);
      const elsewhere = { host: `127.0.0.1:${gatehouse.port}`, ...FORM };
      refused(await browser.post(AUTHORIZE, fields, elsewhere), 401);
      expect(atClient(await answer(handle)).has('code')).toBe(true);
    });

    it('of a session that ended meanwhile: 401', async () => {
      const handle = await client.showConsent(browser);
      const { cookie } = browser;
      await browser.post('/svc/auth/logout');
      browser.cookie = cookie;
      refused(await answer(handle), 401);
    });

    it('32 parallel answers: exactly one code', async () => {
      const handle = await client.showConsent(browser);
      const answers = await Promise.all(Array.from({ length: 32 }, () => answer(handle)));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([302, ...Array(31).fill(400)]);
      expect(await appsOf()).toHaveLength(1);
    });

    it('of parallel answers for and against, one counts', async () => {
      const handle = await client.showConsent(browser);
      const answers = await Promise.all(
        ['approve', 'deny', 'approve', 'deny'].map((decision) =>
          client.answerConsent(browser, handle, ALL, decision),
        ),
      );
      const winners = answers.filter(({ status }) => status === 302);
      expect(winners).toHaveLength(1);
      const approved = winners.filter(({ headers }) => headers.location?.includes('code='));
      expect(await appsOf()).toHaveLength(approved.length);
    });

    it('several forms may wait at once, in any order', async () => {
      const [one, two] = [await client.showConsent(browser), await client.showConsent(browser)];
      expect(atClient(await answer(two)).has('code')).toBe(true);
      expect(atClient(await answer(one)).has('code')).toBe(true);
    });
  });

  // The recognition of the own origin has a unit spec of its own.
  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin to speak of', { origin: 'null' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
  ])('from another site, by %s: 403 before anything else', async (_what, headers) => {
    const handle = await client.showConsent(browser);
    const fields = form([['handle', handle], ...APPROVAL]);
    const signedOut = new Browser(gatehouse);
    refused(await browser.post(AUTHORIZE, fields, { ...FORM, ...headers }), 403);
    refused(await signedOut.post(AUTHORIZE, fields, { ...FORM, ...headers }), 403);
    refused(await browser.post(AUTHORIZE, '{', headers), 403);
    const own = { ...FORM, origin: gatehouse.origin, 'sec-fetch-site': 'same-origin' };
    expect(atClient(await browser.post(AUTHORIZE, fields, own)).has('code')).toBe(true);
  });

  it('401 signed out, before the form is read: the handle is good afterwards', async () => {
    const handle = await client.showConsent(browser);
    refused(await answer(handle, ALL, new Browser(gatehouse)), 401);
    refused(await new Browser(gatehouse).post(AUTHORIZE), 401);
    expect(atClient(await answer(handle)).has('code')).toBe(true);
  });

  describe('deny', () => {
    it.each(['deny', 'Approve'])('decision "%s"', async (decision) => {
      const handle = await client.showConsent(browser);
      denied(await client.answerConsent(browser, handle, ALL, decision));
      expect(await appsOf()).toEqual([]);
    });

    it.each([[[]], [['openid', '__proto__']], [['account:read tabs:read']]])(
      'approved with the scopes %j, none of which exists',
      async (scopes) => {
        denied(await answer(await client.showConsent(browser), scopes));
      },
    );

    it('no decision at all', async () => {
      const handle = await client.showConsent(browser);
      denied(await browser.post(AUTHORIZE, `handle=${handle}&scope=account:read`, FORM));
    });
  });

  it.each([
    ['fewer than asked', 'account:read tabs:read tabs:write', ['tabs:read'], 'tabs:read'],
    ['more than asked', 'account:read', ALL, ALL.join(' ')],
    ['others than asked', 'account:read', ['code:run'], 'code:run'],
    ['none asked', undefined, ['code:run', 'tabs:read'], 'tabs:read code:run'],
    ['unknown ones filtered', undefined, ['x', 'tabs:read', 'openid', 'TABS:READ'], 'tabs:read'],
    ['repeated ones once', undefined, ['tabs:read', 'tabs:read'], 'tabs:read'],
  ])('scopes chosen: %s', async (_what, scope, chosen, granted) => {
    const handle = await client.showConsent(browser, { scope });
    expect(await scopeOf(await answer(handle, chosen))).toBe(granted);
    expect((await appsOf()).map((app) => app.scope)).toEqual([granted.split(' ')]);
  });

  it('the fields of the request are those of the form shown, not of the answer', async () => {
    const handle = await client.showConsent(browser);
    const body = form([
      ['handle', handle],
      ...APPROVAL,
      ['redirect_uri', 'https://evil.example/'],
      ['client_id', 'other'],
      ['state', 'other'],
      ['response_mode', 'fragment'],
    ]);
    const given = await browser.post(`${AUTHORIZE}?redirect_uri=https://evil.example/`, body, FORM);
    expect(atClient(given).get('state')).toBe(client.state);
  });
});
