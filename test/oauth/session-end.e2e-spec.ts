import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BrowserSessionsService } from '#libs/accounts';
import { PreparedChange } from '#libs/database';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { holdBody } from '../support/held-body.js';
import { OAuthClient } from '../support/oauth-client.js';

const FORM = 'application/x-www-form-urlencoded';

/** How the session ends while an answer that it began is on its way. */
const ENDS: [string, (parts: { browser: Browser; database: DataSource }) => Promise<unknown>][] = [
  ['signed out', ({ browser }) => browser.post('/svc/auth/logout')],
  ['replaced by a sign-in', ({ browser }) => browser.signIn()],
  ['expired', ({ database }) => database.query('UPDATE sessions SET expires_at = 1')],
];

describe('a session that ends while what it asked for is on its way (contract: Consent)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;
  let handle: string;

  const database = () => gatehouse.app.get(DataSource);
  const rows = async (table: string) =>
    Number((await database().query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n);
  const written = async () => [await rows('oauth_grants'), await rows('oauth_tokens')];
  const form = (decision: string) =>
    `handle=${handle}&scope=account%3Aread&scope=tabs%3Aread&decision=${decision}`;
  /** Runs `end` after the service has found the session and the form, right before it writes anything. */
  const beforeChange = (end: () => Promise<unknown>) => {
    const run = jest.spyOn(PreparedChange.prototype, 'run');
    run.mockImplementationOnce(async function (this: PreparedChange, ...parameters) {
      await end();
      return this.run(...parameters);
    });
    return run;
  };

  beforeAll(async () => {
    gatehouse = await startGatehouse();
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    handle = await client.showConsent(browser);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database().manager.deleteAll('oauth_grants');
  });
  afterAll(() => gatehouse.stop());

  describe.each(ENDS)('%s', (_how, end) => {
    it.each(['approve', 'deny'])('while the body of "%s" is open: 401', async (decision) => {
      const find = jest.spyOn(gatehouse.app.get(BrowserSessionsService), 'find');
      const body = { type: FORM, body: form(decision) };
      const held = await holdBody(gatehouse, browser, '/svc/oauth/authorize', body);
      await eventually(() => expect(find).toHaveBeenCalledTimes(1));
      expect(await find.mock.results[0]?.value).toBeDefined();
      await end({ browser, database: database() });
      expect((await held.finish()).status).toBe(401);
      expect(await written()).toEqual([0, 0]);
    });

    it.each(['approve', 'deny'])('right before "%s" is written: 401', async (decision) => {
      const { cookie } = browser;
      const run = beforeChange(() => end({ browser, database: database() }));
      const sent = { 'content-type': FORM, cookie: cookie ?? '' };
      const answer = await browser.post('/svc/oauth/authorize', form(decision), sent);
      expect(run).toHaveBeenCalled();
      expect([answer.status, answer.headers.location]).toEqual([401, undefined]);
      expect(await written()).toEqual([0, 0]);
    });
  });

  const onPostgres = globalThis.STORAGE === 'postgres' ? it : it.skip;
  onPostgres('an answer waits for a sign-out that is under way, and does not count', async () => {
    const runner = database().createQueryRunner();
    await runner.startTransaction();
    await runner.query('DELETE FROM sessions');
    const answered = client.answerConsent(browser, handle, ['account:read']);
    await eventually(async () => {
      const waiting = await database().query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).not.toEqual([]);
    });
    await runner.commitTransaction();
    await runner.release();
    expect((await answered).status).toBe(401);
    expect(await written()).toEqual([0, 0]);
  });
});
