import { passkeysOf, sessionsOf } from '../account/own-account.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

/** Not more: on a busy machine a writer that waits for over 5 seconds gets 503. */
const ACCEPTED = 20;
const VERIFY = '/svc/auth/register/verify';

describe('accounts under concurrency', () => {
  let gatehouse: Gatehouse;

  const accounts = async () => {
    const args = ['users', 'list', '--limit', '100'];
    return (await new Admin(gatehouse).json<{ items: object[] }>(...args)).items.length;
  };
  const statuses = (answers: { status: number }[]) =>
    answers.map(({ status }) => status).toSorted();

  beforeEach(async () => {
    gatehouse = await startGatehouse();
  });
  afterEach(() => gatehouse.stop());

  it('of many registrations at once every second is refused with 409, and every accepted one can sign in', async () => {
    const taken = new Browser(gatehouse);
    await taken.signUp('Taken');
    const credentialId = taken.authenticator.list('localhost')[0]?.id ?? '';
    const browsers = Array.from({ length: 2 * ACCEPTED }, () => new Browser(gatehouse));
    const responses = await Promise.all(
      browsers.map((browser, n) =>
        browser.attest(n % 2 === 1 ? { overrides: { credentialId, discard: true } } : {}),
      ),
    );
    const answers = await Promise.all(
      browsers.map((browser, n) => browser.post(VERIFY, responses[n])),
    );
    expect(statuses(answers)).toEqual([...Array(ACCEPTED).fill(200), ...Array(ACCEPTED).fill(409)]);

    const accepted = browsers.filter((_, n) => answers[n]?.status === 200);
    const signedIn = await Promise.all(accepted.map((browser) => browser.me()));
    expect(signedIn.filter(({ user }) => user !== null)).toHaveLength(ACCEPTED);
    const again = await Promise.all(accepted.map((browser) => browser.signIn()));
    expect(statuses(again)).toEqual(Array(ACCEPTED).fill(200));
    expect(await accounts()).toBe(1 + ACCEPTED);
  });

  it('of 20 new accounts with the same new credential id one is made, and no orphan', async () => {
    const credentialId = Buffer.from('the very same credential').toString('base64url');
    const browsers = Array.from({ length: 20 }, () => new Browser(gatehouse));
    const responses = await Promise.all(
      browsers.map((browser) => browser.attest({ overrides: { credentialId } })),
    );
    const answers = await Promise.all(browsers.map((b, n) => b.post(VERIFY, responses[n])));
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(409)]);
    expect(await accounts()).toBe(1);
    const signedIn = await Promise.all(browsers.map((browser) => browser.me()));
    expect(signedIn.filter(({ user }) => user !== null)).toHaveLength(1);
  });

  it('of two sign-ins with the same counter value one succeeds', async () => {
    const browser = new Browser(gatehouse, SoftAuthenticator.securityKey());
    await browser.signUp();
    const overrides = { counter: 7 };
    const responses = await Promise.all([1, 2].map(() => browser.assert({ overrides })));
    const answers = await Promise.all(
      responses.map((response) => new Browser(gatehouse).post('/svc/auth/login/verify', response)),
    );
    expect(statuses(answers)).toEqual([200, 400]);
    expect(await sessionsOf(browser)).toHaveLength(2);
  });

  it('an account never has more than 20 passkeys', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const prepare = async () =>
      new SoftAuthenticator().create(await browser.creationOptions({}), gatehouse.origin);
    const add = async () => browser.post(VERIFY, await prepare());
    for (let count = 1; count < 18; count += 1) expect((await add()).status).toBe(200);
    const responses = await Promise.all(Array.from({ length: 5 }, prepare));
    const answers = await Promise.all(responses.map((response) => browser.post(VERIFY, response)));
    expect(statuses(answers)).toEqual([200, 200, 409, 409, 409]);
    const full = await browser.agent.post('/svc/auth/register/options').send({}).expect(409);
    expect(full.body.error).toContain('20 passkeys');
    expect(await passkeysOf(browser)).toHaveLength(20);
  });
});
