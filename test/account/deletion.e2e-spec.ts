import { redisKeysWithAccount, tablesWithAccount } from '../support/account-rows.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';
import { TabClient } from '../support/tab-client.js';
import { FRESH_MS, signedUp, typesOf, withFurtherPasskey } from './own-account.js';

const ENDED = { code: 4401, reason: 'session ended' };

describe('DELETE /svc/me (contract: Own account)', () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let browser: Browser;
  let userId: string;

  const remove = (whose = browser) => whose.send('DELETE', '/svc/me');

  beforeAll(async () => {
    here = await startGatehouse();
    there = await startGatehouse({}, here);
  });
  beforeEach(async () => {
    browser = await signedUp(here);
    userId = (await browser.me()).user?.id ?? '';
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await there.stop();
    await here.stop();
  });

  it('leaves nothing but the audit trail, and lets no passkey, session or app in', async () => {
    const device = await withFurtherPasskey(here, browser);
    await device.signIn();
    const client = await OAuthClient.register(here);
    const tokens = await client.connect(browser, ['account:read', 'tabs:write']);
    await client.showConsent(browser);
    const tab = await TabClient.open(here, browser);
    await client.mcp(tokens.access_token, 'tools/call', {
      name: 'send_message',
      arguments: { body: 'hello' },
    });
    expect((await browser.me()).budget?.used).toBe(1);
    const eve = await signedUp(here, 'Eve');
    const cookie = browser.cookie;

    const answer = await remove();
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['set-cookie']).toEqual([
      'session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await tab.closed).toEqual(ENDED);
    await eventually(async () =>
      expect((await typesOf(here, userId)).at(-1)).toBe('account-deleted'),
    );
    // Reads storage, because no request can ask about a deleted account.
    expect(await tablesWithAccount(here, userId)).toEqual(['audit_events']);
    expect(await redisKeysWithAccount(here, userId)).toEqual([]);

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

  itWithClock('403 sign_in_again | a session that began more than 10 minutes ago', async () => {
    advanceClock(FRESH_MS + 1);
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
