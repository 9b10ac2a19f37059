import { DataSource } from 'typeorm';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const FORM = 'application/x-www-form-urlencoded';
const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const A_DAY = { SESSION_IDLE_DAYS: '1', SESSION_MAX_DAYS: '1' };

interface Parts {
  readonly browser: Browser;
  readonly api: AdminApi;
  readonly id: string;
}

/** The ways in which a session ends at one replica while another one processes an answer of that session. */
const ENDS: [string, (parts: Parts) => Promise<{ status: number }>][] = [
  ['a sign-out', ({ browser }) => browser.post('/svc/auth/logout')],
  ['a further sign-in', ({ browser }) => browser.signIn()],
  ['disabling the account', ({ api, id }) => api.post(`users/${id}/disable`)],
];

describe('a session that ends while what it asked for is on its way (contract: Consent)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let parts: Parts;
  let browser: Browser;
  let client: OAuthClient;

  /** The connected apps; none for a deleted account. */
  const apps = async () =>
    (await parts.api.get(`apps?user=${parts.id}`)).json<{ items?: object[] }>().items ?? [];
  /** An answer to the form without its last byte, after the service has looked up its session. */
  const holdAnswer = async (decision: string) => {
    const handle = await client.showConsent(browser);
    const body = `handle=${handle}&scope=account%3Aread&scope=tabs%3Aread&decision=${decision}`;
    const held = await holdBody(
      { port: there.port, origin: here.origin },
      browser,
      '/svc/oauth/authorize',
      { type: FORM, body },
    );
    // This later request was answered, so the session of the held one was looked up before it, or together with it.
    expect((await browser.at(there).me()).user?.id).toBe(parts.id);
    return held;
  };

  beforeAll(async () => {
    here = await startAdministered(A_DAY);
    there = await startAdministered(A_DAY, here);
  });
  beforeEach(async () => {
    browser = new Browser(here);
    const { id } = (await browser.signUp()).json<{ user: { id: string } }>().user;
    parts = { browser, api: new AdminApi(here), id };
    client = await OAuthClient.register(here);
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });

  describe.each(ENDS)('%s', (_how, end) => {
    it.each(['approve', 'deny'])(
      '401 | the body of "%s" comes later | nothing is written',
      async (decision) => {
        const held = await holdAnswer(decision);
        expect((await end(parts)).status).toBeLessThan(300);
        const { status, text } = await held.finish();
        expect([status, text]).toEqual([401, expect.stringMatching(/^You’re no longer signed in/)]);
        expect(await apps()).toEqual([]);
      },
    );
  });

  it('401 | the body comes after the end of the account | nothing is written', async () => {
    const held = await holdAnswer('approve');
    expect((await parts.api.send('DELETE', `users/${parts.id}`)).status).toBe(200);
    expect((await held.finish()).status).toBe(401);
    expect(await apps()).toEqual([]);
  });

  itWithClock('401 | the body comes after the last day of the session', async () => {
    advanceClock(DAY - 5 * MINUTE);
    const held = await holdAnswer('approve');
    advanceClock(5 * MINUTE);
    expect((await held.finish()).status).toBe(401);
    expect(await apps()).toEqual([]);
  });

  describe('what is half done at another replica (Postgres, where it can be held)', () => {
    const onPostgres = globalThis.STORAGE === 'postgres' ? it : it.skip;

    /** Runs `ask` while another transaction has executed a statement and not committed it. */
    const askedWhile = async <T>(sql: string, ask: () => Promise<T>): Promise<T> => {
      const database = here.app.get(DataSource);
      const runner = database.createQueryRunner();
      try {
        await runner.startTransaction();
        await runner.query(sql, [parts.id]);
        const asked = ask();
        await eventually(async () => {
          const waiting = await database.query(
            `SELECT pid FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          expect(waiting).not.toEqual([]);
        });
        await runner.commitTransaction();
        return await asked;
      } finally {
        await runner.release();
      }
    };

    onPostgres.each([
      ['a sign-out', 'DELETE FROM sessions WHERE user_id = $1'],
      ['the end of the account', 'DELETE FROM users WHERE id = $1'],
    ])('401 | an answer waits for %s, and does not count', async (_what, sql) => {
      const handle = await client.showConsent(browser);
      const answer = await askedWhile(sql, () =>
        client.answerConsent(browser, handle, ['account:read']),
      );
      expect([answer.status, answer.headers.location]).toEqual([401, undefined]);
      expect(await apps()).toEqual([]);
    });

    onPostgres('a page waits for disabling, and asks to sign in', async () => {
      const disabling = 'UPDATE users SET disabled_at = 1 WHERE id = $1';
      const page = await askedWhile(disabling, () => browser.get(client.authorizePath()));
      expect([page.status, page.text.includes('name="handle"')]).toEqual([200, false]);
    });
  });
});
