import { Client } from 'pg';
import { ConnectedApp, type ToolAnswer } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { withClockOff } from '../support/clock-shift.js';
import { eventually } from '#libs/platform/testing';
import type { Answer } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { TabClient } from '../support/tab-client.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const APART = 10 * MINUTE;
const SPREAD = [APART / -2, APART / 2] as const;

const LIMIT = 250;
/** Its time is enough on a busy machine; while it runs it holds 125 credits. */
const RUN = { code: 'return 1', timeoutMs: 1000 };

/** A server process, and the offset of its clock. */
interface Replica {
  readonly port: number;
  readonly origin: string;
  now(): number;
}

const shared = globalThis.STORAGE === 'postgres';

(shared ? describe : describe.skip)(
  'two replicas whose clocks are ten minutes apart, one on each side of midnight (skipped where storage is not shared)',
  () => {
    let storage: TestStorage;
    let processes: ServerProcess[];
    let behind: Replica;
    let ahead: Replica;
    let database: Client;
    let browser: Browser;
    let client: OAuthClient;

    beforeAll(async () => {
      storage = await storageForTests();
      const midnight = Math.ceil(Date.now() / DAY) * DAY;
      const shifts = SPREAD.map((spread) => midnight + spread - Date.now());
      processes = shifts.map(
        (shift) =>
          new ServerProcess({
            PORT: '0',
            LOG_LEVEL: 'info',
            RATE_LIMIT_MAX: '100000',
            BUDGET_DAILY_LIMIT: String(LIMIT),
            ...storage.environment,
            ...withClockOff(shift),
          }),
      );
      const ports = await Promise.all(processes.map((one) => one.port()));
      const replica = (n: 0 | 1): Replica => ({
        port: ports[n] ?? 0,
        origin: `http://localhost:${ports[0]}`,
        now: () => Date.now() + (shifts[n] ?? 0),
      });
      [behind, ahead] = [replica(0), replica(1)];
      database = new Client({ connectionString: storage.environment.DATABASE_URL });
      await database.connect();
    });
    beforeEach(async () => {
      browser = new Browser(behind);
      await browser.signUp();
      client = await OAuthClient.register(behind);
    });
    afterAll(async () => {
      await database?.end();
      await Promise.all(processes.map((one) => one.kill()));
      await storage.dispose();
    });

    const bothWays = () => [[behind, ahead] as const, [ahead, behind] as const];
    /** On a busy machine a replica may refuse a request for a moment. */
    const admitted = async (work: () => Promise<Answer>) => {
      for (;;) {
        const answer = await work();
        if (answer.status !== 503) return answer;
      }
    };
    const race = (work: (replica: Replica) => Promise<Answer>) =>
      Promise.all(
        Array.from({ length: 16 }, (_, n) => admitted(() => work(n % 2 === 0 ? behind : ahead))),
      );
    const count = (answers: Answer[], status: number) =>
      answers.filter((answer) => answer.status === status).length;

    it('a challenge is good on both, once', async () => {
      for (const [one, other] of bothWays()) {
        const response = await browser.at(one).assert();
        const verify = () => new Browser(other).post('/svc/auth/login/verify', response);
        expect((await verify()).status).toBe(200);
        expect((await verify()).status).toBe(400);
        const attestation = await new Browser(one).attest();
        const register = () => new Browser(other).post('/svc/auth/register/verify', attestation);
        expect([(await register()).status, (await register()).status]).toEqual([200, 400]);
      }
      const response = await browser.assert();
      const answers = await race((replica) =>
        new Browser(replica).post('/svc/auth/login/verify', response),
      );
      expect(count(answers, 200)).toBe(1);
    });

    it('sessions and tokens of each are good on the other at once', async () => {
      for (const [one, other] of bothWays()) {
        const person = new Browser(one);
        await person.signUp();
        expect((await person.at(other).me()).user).not.toBeNull();
        const app = await OAuthClient.register(one);
        const tokens = await app.connect(person);
        expect((await app.at(other).mcp(tokens.access_token)).status).toBe(200);
        const refreshed = await app.at(other).refresh(tokens.refresh_token);
        const { access_token: token } = refreshed.json<TokenResponse>();
        expect((await app.mcp(token)).status).toBe(200);
      }
    });

    it('a consent and its code are used once, by either', async () => {
      const [person, app] = [browser.at(ahead), client.at(ahead)];
      const handle = await app.showConsent(person);
      const answers = await race((replica) =>
        app.answerConsent(person.at(replica), handle, ['account:read']),
      );
      expect([count(answers, 302), count(answers, 400)]).toEqual([1, 15]);
      const code = await app.authorize(person);
      const exchanged = await race((replica) => app.at(replica).exchange(code));
      expect([count(exchanged, 200), count(exchanged, 400)]).toEqual([1, 15]);
    });

    it('a code that is used again on either ends what it gave', async () => {
      for (const [one, other] of bothWays()) {
        const code = await client.at(ahead).authorize(browser.at(ahead));
        const given = (await client.at(one).exchange(code)).json<TokenResponse>();
        const replayed = await client.at(other).exchange(code);
        expect([one, replayed.status]).toEqual([one, 400]);
        expect((await client.at(one).mcp(given.access_token)).status).toBe(401);
      }
    });

    it('parallel refreshes on both disconnect no app, and both refuse a replaced token', async () => {
      for (const [one, other] of bothWays()) {
        const { refresh_token: first } = await client.at(ahead).connect(browser.at(ahead));
        const answers = await race((replica) => client.at(replica).refresh(first));
        expect(count(answers, 200)).toBe(16);
        const [next, sibling] = answers.map(
          (answer) => answer.json<TokenResponse>().refresh_token,
        ) as [string, string];
        expect((await client.at(one).refresh(next)).status).toBe(200);
        expect((await client.at(other).refresh(sibling)).status).toBe(200);
        expect(count(await race((replica) => client.at(replica).refresh(first)), 200)).toBe(0);
      }
    });

    /**
     * Sets the end of everything that belongs to the person and ends within the hour, directly in its rows: each
     * process has its own clock, which cannot be moved while it runs.
     */
    const setEnd = async (at: number) => {
      const { user } = await browser.at(ahead).me();
      const end = Math.round(at / 1000) * 1000;
      await database.query('UPDATE oauth_consents SET expires_at = $1 WHERE user_id = $2', [
        end,
        user?.id,
      ]);
      await database.query(
        `UPDATE oauth_tokens SET expires_at = $1::bigint,
           payload = jsonb_set(payload::jsonb, '{exp}', to_jsonb($1::bigint / 1000))::text
         WHERE kind <> 'RefreshToken' AND grant_id IN (SELECT id FROM oauth_grants WHERE user_id = $2)`,
        [end, user?.id],
      );
    };

    const things = [
      {
        what: 'a consent form',
        prepare: async () => {
          const handle = await client.at(ahead).showConsent(browser.at(ahead));
          return (replica: Replica) =>
            client.answerConsent(browser.at(replica), handle, ['account:read']);
        },
        good: 302,
        over: 400,
      },
      {
        what: 'a code',
        prepare: async () => {
          const code = await client.at(ahead).authorize(browser.at(ahead));
          return (replica: Replica) => client.at(replica).exchange(code);
        },
        good: 200,
        over: 400,
      },
      {
        what: 'an access token',
        prepare: async () => {
          const { access_token: token } = await client.at(ahead).connect(browser.at(ahead));
          return (replica: Replica) => client.at(replica).mcp(token);
        },
        good: 200,
        over: 401,
      },
    ];

    it.each(things)(
      'each ends $what by its own clock: ten minutes apart, and not a minute more',
      async ({ prepare, good, over }) => {
        const cases = [
          { end: () => behind.now() - MINUTE, asked: behind, expected: over },
          { end: () => behind.now() + MINUTE, asked: behind, expected: good },
          { end: () => behind.now() + APART - MINUTE, asked: ahead, expected: over },
          { end: () => behind.now() + APART + MINUTE, asked: ahead, expected: good },
        ];
        for (const { end, asked, expected } of cases) {
          const use = await prepare();
          await setEnd(end());
          expect([asked === ahead, (await use(asked)).status]).toEqual([asked === ahead, expected]);
        }
      },
    );

    it('tabs on both see, reach and answer each other, and close when the session ends', async () => {
      const app = await ConnectedApp.connect(ahead);
      const near = await TabClient.open(behind, app.browser);
      const far = await TabClient.open(ahead, app.browser);
      await Promise.all([near.sees(near, far), far.sees(near, far)]);
      for (const [asking, tab] of [
        [app.at(behind), far],
        [app.at(ahead), near],
      ] as const) {
        const calls = ['one', 'two'].map((method) =>
          asking.have('call_tab', { tab: tab.id, method, timeoutMs: 20_000 }),
        );
        await tab.until(() => tab.received('request').length === 2, 'two requests');
        for (const { data } of tab.received('request')) {
          tab.say('result', { id: data['id'], ok: true, value: data['method'] });
        }
        expect(await Promise.all(calls)).toEqual([{ value: 'one' }, { value: 'two' }]);
      }
      await Promise.all([near.settle(), far.settle()]);
      await app.browser.at(behind).post('/svc/auth/logout');
      const closings = await Promise.all([near.closed, far.closed]);
      expect(closings.map(({ code }) => code)).toEqual([4401, 4401]);
    });

    it('a budget never goes back to an earlier day, and no day is overspent', async () => {
      const app = await ConnectedApp.connect(ahead);
      const [late, early] = [app.at(behind), app.at(ahead)];
      const budgets = async () => [
        (await late.browser.me()).budget,
        (await early.browser.me()).budget,
      ];
      const [before, after] = await budgets();
      expect(Date.parse(after?.resetsAt ?? '') - Date.parse(before?.resetsAt ?? '')).toBe(DAY);
      const cost = async (asked: ConnectedApp) =>
        Number((await asked.have('run_code', RUN))?.['creditsUsed']);
      const used = await cost(late);
      expect(await budgets()).toEqual([{ ...before, used }, after]);
      const first = await cost(early);
      const spent = { ...after, used: first };
      expect(await budgets()).toEqual([spent, spent]);
      const call = { name: 'run_code', arguments: RUN };
      const runs = Array.from({ length: 40 }, async (_, n) => {
        const asked = n % 2 === 0 ? late : early;
        const answer = await admitted(() => asked.send('tools/call', call));
        return answer.json<{ result: ToolAnswer }>().result;
      });
      const results = await Promise.all(runs);
      const [balance, same] = await budgets();
      expect(same).toEqual(balance);
      const charged = results.map(({ structuredContent }) => structuredContent?.['creditsUsed']);
      const sum = charged.reduce<number>((total, credits) => total + Number(credits ?? 0), first);
      expect(balance?.used).toBeGreaterThanOrEqual(sum);
      expect(balance?.used).toBeLessThanOrEqual(LIMIT);
    });

    it('the audit trail has both replicas, each by its own clock', async () => {
      const { user } = await browser.me();
      await browser.at(ahead).signIn();
      const rows = await eventually(async () => {
        const found = await database.query<{ type: string; at: string; expires_at: string }>(
          'SELECT type, at, expires_at FROM audit_events WHERE user_id = $1 ORDER BY at',
          [user?.id],
        );
        expect(found.rows.map(({ type }) => type)).toEqual(['sign-up', 'sign-in']);
        return found.rows;
      });
      const [signUp, signIn] = rows.map(({ at }) => Number(at)) as [number, number];
      expect(behind.now() - signUp).toBeLessThan(APART / 2);
      expect(ahead.now() - signIn).toBeLessThan(APART / 2);
      expect(signIn - signUp).toBeGreaterThan(APART / 2);
    });
  },
);
