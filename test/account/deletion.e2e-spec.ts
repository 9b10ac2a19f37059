import { DataSource } from 'typeorm';
import { BudgetService } from '#libs/budget';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { TabClient } from '../support/tab-client.js';
import { age, signedUp, typesOf, withFurtherPasskey } from './own-account.js';

const MINUTE_MS = 60_000;
const ENDED = { code: 4401, reason: 'session ended' };

describe('DELETE /svc/me (contract: Own account)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;
  let userId: string;

  const database = () => here.app.get(DataSource);
  const budgets = () => here.app.get(BudgetService, { strict: false });
  const remove = (whose = browser) => whose.send('DELETE', '/svc/me');

  /** The tables that have something of the account. */
  async function traces() {
    const found: string[] = [];
    for (const { tableName, propertiesMap } of database().entityMetadatas) {
      const column = tableName === 'users' ? 'id' : 'userId';
      if (propertiesMap[column] === undefined) continue;
      const count = await database().manager.countBy(tableName, { [column]: userId });
      if (count > 0) found.push(tableName);
    }
    return found.toSorted();
  }

  beforeAll(async () => {
    here = await startGatehouse();
    there = await startGatehouse({}, here);
  });
  beforeEach(async () => {
    browser = await signedUp(here);
    userId = (await browser.me()).user?.id ?? '';
  });
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });

  it('leaves nothing but the audit trail, and lets nobody in any more', async () => {
    const device = await withFurtherPasskey(here, browser);
    await device.signIn();
    const client = await OAuthClient.register(here);
    const tokens = await client.connect(browser);
    await client.showConsent(browser);
    await budgets().reserve(userId, 5);
    const tab = await TabClient.open(here, browser);
    const eve = await signedUp(here, 'Eve');
    const cookie = browser.cookie;

    const answer = await remove();
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['set-cookie']).toEqual([
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await tab.closed).toEqual(ENDED);
    expect((await budgets().read(userId)).used).toBe(0);
    await eventually(async () =>
      expect((await typesOf(here, userId)).at(-1)).toBe('account-deleted'),
    );
    expect(await traces()).toEqual(['audit_events']);

    browser.cookie = cookie;
    expect([(await browser.me()).user, (await device.me()).user]).toEqual([null, null]);
    expect((await client.mcp(tokens.access_token)).status).toBe(401);
    const refreshed = await client.refresh(tokens.refresh_token);
    expect([refreshed.status, refreshed.json()['error']]).toEqual([400, 'invalid_grant']);
    for (const one of [browser, device]) {
      const refused = await one.signIn();
      expect([refused.status, refused.headers['passkey-signal']]).toEqual([400, 'unknown']);
    }
    expect((await eve.me()).user).not.toBeNull();
  });

  it('403 sign_in_again | a session that began more than 10 minutes ago', async () => {
    await age(here, browser, 10 * MINUTE_MS + 1);
    const answer = await remove();
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: expect.any(String), reason: 'sign_in_again' },
    ]);
    expect((await browser.me()).user).not.toBeNull();
  });

  it('of many at once, on two replicas, one wins, and the others are signed out', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => remove(browser.at(n % 2 ? here : there))),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([204, ...Array.from({ length: 7 }, () => 401)]);
  });

  it('a sign-in at the same moment leaves no session of an account that is gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ann = await signedUp(here);
      userId = (await ann.me()).user?.id ?? '';
      const elsewhere = new Browser(here, ann.authenticator);
      const [deleted, signedIn] = await Promise.all([remove(ann), elsewhere.signIn()]);
      expect([200, 400]).toContain(signedIn.status);
      expect(deleted.status).toBe(204);
      expect((await elsewhere.me()).user).toBeNull();
    }
  });
});
