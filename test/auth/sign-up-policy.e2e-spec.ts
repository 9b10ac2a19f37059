import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { ChangingPolicy } from '../support/changing-policy.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';
const MAX = 10;

describe('SIGN_UP (contract: Sign-up)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  const start = async (...about: Parameters<typeof startGatehouse>) => {
    gatehouse = await startGatehouse(...about);
    browser = new Browser(gatehouse);
  };
  afterEach(() => gatehouse.stop());

  it('open by default: an invite is not wanted, and not looked at', async () => {
    await start();
    expect((await browser.post(OPTIONS, { displayName: 'Ann', invite: 7 })).status).toBe(400);
    expect((await browser.signUp('Ann', { invite: 'whatever' })).status).toBe(200);
  });

  it('closed: 403 for whatever is sent, before any ceremony begins', async () => {
    await start({ SIGN_UP: 'closed' });
    for (const body of [{ displayName: 'Ann' }, {}, { displayName: 'Ann', invite: 7 }]) {
      const answer = await browser.post(OPTIONS, body);
      expect([answer.status, answer.json()]).toEqual([
        403,
        {
          error:
            'this service is not accepting new accounts; contact an administrator of this service',
        },
      ]);
    }
  });

  it('closed: who has an account goes on, and a sign-up under way ends without one', async () => {
    const policy = new ChangingPolicy();
    await start({}, undefined, [policy.extension]);
    await browser.signUp();
    const late = new Browser(gatehouse);
    const response = await late.attest();
    policy.signUp = 'closed';
    expect((await browser.signIn()).status).toBe(200);
    const device = new Browser(gatehouse);
    device.cookie = browser.cookie;
    expect((await device.addPasskey()).status).toBe(200);
    const refused = await late.post(VERIFY, response);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    const { items } = await new Admin(gatehouse).json<{ items: object[] }>('users', 'list');
    expect(items).toHaveLength(1);
  });

  it.each([
    ['open', /id="create-account"(?!.*id="invite")/s],
    ['invite', /id="create-account".*id="invite"/s],
    ['closed', /^(?!.*id="create-account").*accepting new accounts/s],
  ])('%s: the pages offer what there is', async (signUp, shown) => {
    await start({ SIGN_UP: signUp });
    const client = await OAuthClient.register(gatehouse);
    for (const path of [client.authorizePath(), '/svc/account']) {
      expect((await browser.get(path)).text).toMatch(shown);
    }
  });

  it('guesses of codes count for the visitor', async () => {
    await start({ SIGN_UP: 'invite', RATE_LIMIT_MAX: String(MAX) });
    const guess = () => browser.post(OPTIONS, { displayName: 'Ann', invite: 'AAAA-AAAA' });
    const answers = await Promise.all(Array.from({ length: 2 * MAX }, guess));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(MAX).fill(403), ...Array(MAX).fill(429)]);
  });
});
