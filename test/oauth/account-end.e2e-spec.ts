import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BrowserSessionsService } from '#libs/accounts';
import { PreparedChange } from '#libs/database';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

/** How an account ends on one replica while another one is answering it. */
const ENDS: [string, (api: AdminApi, id: string) => Promise<unknown>][] = [
  ['deleted', (api, id) => api.json('DELETE', `users/${id}`)],
  ['disabled', (api, id) => api.json('POST', `users/${id}/disable`)],
];

describe.each(ENDS)('an account that is %s meanwhile (contract: Consent)', (_how, end) => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;
  let id: string;

  const database = () => there.app.get(DataSource);
  const written = async () => {
    const counts: number[] = [];
    for (const table of ['oauth_consents', 'oauth_grants', 'oauth_tokens']) {
      const [{ n }] = await database().query(`SELECT COUNT(*) AS n FROM ${table}`);
      counts.push(Number(n));
    }
    return counts;
  };
  const endAccount = () => end(new AdminApi(here), id);

  beforeAll(async () => {
    here = await startAdministered();
    there = await startAdministered({}, here);
  });
  beforeEach(async () => {
    browser = new Browser(here);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
    client = await OAuthClient.register(here);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database().query('DELETE FROM oauth_consents');
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });

  it('is asked to sign in, and leaves no consent form behind', async () => {
    const sessions = there.app.get(BrowserSessionsService);
    const find = sessions.find.bind(sessions);
    jest.spyOn(sessions, 'find').mockImplementationOnce(async (request) => {
      const session = await find(request);
      await endAccount();
      return session;
    });
    const page = await browser.at(there).get(client.authorizePath());
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('name="handle"');
    expect(await written()).toEqual([0, 0, 0]);
  });

  it('401 | an answer to its consent form does not count, and leaves nothing', async () => {
    const handle = await client.showConsent(browser);
    const run = jest.spyOn(PreparedChange.prototype, 'run');
    run.mockImplementationOnce(async function (this: PreparedChange, ...parameters) {
      await endAccount();
      return this.run(...parameters);
    });
    const answer = await client.answerConsent(browser.at(there), handle, ['account:read']);
    expect([answer.status, answer.headers.location]).toEqual([401, undefined]);
    expect((await written()).slice(1)).toEqual([0, 0]);
  });
});
