import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AccountPolicy } from '#libs/accounts';
import { ChallengeStore } from '#libs/passkeys';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const OPTIONS = '/svc/auth/register/options';
const VERIFY = '/svc/auth/register/verify';
const MAX = 10;

describe('SIGN_UP (contract: Sign-up)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  const start = async (variables: Record<string, string>) => {
    gatehouse = await startGatehouse(variables);
    browser = new Browser(gatehouse);
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await gatehouse.stop();
  });

  it('open by default: an invite is not wanted, and not looked at', async () => {
    await start({});
    const fields = { displayName: 'Ann', invite: 'whatever' };
    expect((await browser.post(VERIFY, await browser.attest(undefined, fields))).status).toBe(200);
  });

  it('closed: 403 for whatever is sent, and nothing is stored', async () => {
    await start({ SIGN_UP: 'closed' });
    const put = jest.spyOn(gatehouse.app.get(ChallengeStore, { strict: false }), 'put');
    for (const body of [{ displayName: 'Ann' }, {}, { displayName: 'Ann', invite: 7 }]) {
      const answer = await browser.post(OPTIONS, body);
      expect([answer.status, answer.json()]).toEqual([
        403,
        { error: 'no new accounts are made here; ask whoever runs this service' },
      ]);
    }
    expect(put).not.toHaveBeenCalled();
  });

  it('closed: who has an account goes on, and a sign-up under way ends without one', async () => {
    await start({ SIGN_UP: 'closed' });
    const policy = gatehouse.app.get(AccountPolicy, { strict: false });
    jest.replaceProperty(policy, 'signUp', 'open');
    await browser.signUp();
    const late = new Browser(gatehouse);
    const response = await late.attest();
    jest.restoreAllMocks();
    expect((await browser.signIn()).status).toBe(200);
    const device = new Browser(gatehouse);
    device.cookie = browser.cookie;
    expect((await device.addPasskey()).status).toBe(200);
    const refused = await late.post(VERIFY, response);
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(await gatehouse.app.get(DataSource).manager.count('users')).toBe(1);
  });

  it.each([
    ['open', /id="create-account"(?!.*id="invite")/s],
    ['invite', /id="create-account".*id="invite"/s],
    ['closed', /^(?!.*id="create-account").*No new accounts are made here/s],
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
