import type { Page } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { ChangingPolicy } from '../support/changing-policy.js';
import { useChromium, type VirtualAuthenticator } from '../support/chromium.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { createInvite } from '../support/invite.js';
import { OAuthClient } from '../support/oauth-client.js';

const WRONG = 'AAAA-AAAA-AAAA-AAAA-AAAA';

describe('who may sign up, in Chromium', () => {
  const policy = new ChangingPolicy();
  const chromium = useChromium();
  const gatehouse = useGatehouse(() => startGatehouse({}, undefined, [policy.extension]));
  let page: Page;
  let authenticator: VirtualAuthenticator;
  let authorize: string;
  let addresses: string[];

  const code = async () => (await createInvite(gatehouse)).code;
  const invite = () => page.getByLabel('Invitation code');
  const create = () => page.getByRole('button', { name: 'Create account' });
  const said = (words: string, role: 'alert' | 'status' = 'status') =>
    page.getByRole(role).filter({ hasText: words }).waitFor();
  const focused = () => page.locator(':focus').getAttribute('id');
  const fillIn = async (typed: string) => {
    await invite().fill(typed);
    await page.getByLabel('Your name').fill('Ann');
    await create().click();
  };

  beforeAll(async () => {
    const client = await OAuthClient.register(gatehouse, { client_name: 'Notes' });
    authorize = gatehouse.origin + client.authorizePath();
  });
  beforeEach(async () => {
    policy.signUp = 'invite';
    ({ page, device: authenticator } = await chromium.open());
    addresses = [];
    page.on('request', (request) => addresses.push(request.url()));
  });

  it('a code that is not good is explained beneath its field, and a good one lets in', async () => {
    await page.goto(authorize);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await fillIn(WRONG);
    await said('this invitation code is wrong, already used or expired', 'alert');
    expect(await focused()).toBe('invite');
    expect(await invite().getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('#status').textContent()).toBe('');
    expect(await problemsInEveryLook(page)).toEqual([]);
    await fillIn((await code()).toLowerCase());
    await page.getByText('Signed in as Ann').waitFor();
  });

  it('the form is not sent without a code', async () => {
    await page.goto(authorize);
    await fillIn('');
    expect(await focused()).toBe('invite');
    expect(addresses.filter((url) => url.includes('/register/'))).toEqual([]);
  });

  it('a link fills the code in, and no request has it in its address', async () => {
    const good = await code();
    await page.goto(`${gatehouse.origin}/svc/account#invite=${good}`);
    expect(await invite().inputValue()).toBe(good);
    await page.getByLabel('Your name').fill('Ann');
    await create().click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${gatehouse.origin}/svc/account`);
    expect(addresses.filter((url) => url.includes(good))).toEqual([]);
  });

  it.each(['#invite=', '#invite=<b>', `#invite=${'x'.repeat(65)}`, '#invite=%41', '?invite=AAAA'])(
    'a link with %s fills nothing in',
    async (end) => {
      await page.goto(`${gatehouse.origin}/svc/account${end}`);
      expect(await invite().inputValue()).toBe('');
    },
  );

  it('a passkey of a sign-up that was refused at its end is forgotten', async () => {
    await page.goto(authorize);
    const typed = await code();
    await page.exposeFunction('signalled', (id: string) => addresses.push(`signal ${id}`));
    await page.evaluate(
      'PublicKeyCredential.signalUnknownCredential = async ({ credentialId }) => signalled(credentialId)',
    );
    await page.route('**/register/verify', async (route) => {
      policy.signUp = 'closed';
      await route.continue();
    });
    await fillIn(typed);
    await said('this service is not accepting new accounts');
    expect(addresses.filter((entry) => entry.startsWith('signal '))).toHaveLength(1);
  });

  it.each(['authorize', 'account'])('closed: the %s page offers no account', async (which) => {
    policy.signUp = 'closed';
    await page.goto(which === 'authorize' ? authorize : `${gatehouse.origin}/svc/account`);
    await page.getByText('This service isn’t accepting new accounts right now.').waitFor();
    expect(await page.locator('#create-account, #name, #invite').count()).toBe(0);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await authenticator.verifiesUser(false);
    const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });
    await signIn.click();
    await page.locator('#status:not([data-busy])').filter({ hasText: '.' }).waitFor();
    await signIn.click();
    await said('Nothing has changed. You can try again.');
    expect(await page.locator('main').innerText()).not.toMatch(/create an account/i);
    await authenticator.verifiesUser(true);
    await authenticator.keepPasskey('localhost', 'QmVu');
    await signIn.click();
    await said('This passkey isn’t registered here. Use another one.');
    expect(await page.locator('main').innerText()).not.toMatch(/create an account/i);
  });

  it('closed: who is signed in is not led to a new account', async () => {
    await page.goto(authorize);
    await fillIn(await code());
    await page.getByText('Signed in as Ann').waitFor();
    policy.signUp = 'closed';
    await page.reload();
    await authenticator.verifiesUser(false);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await said('You’re still signed in as before.');
    expect(await page.locator('main').innerText()).not.toMatch(/create|sign out/i);
  });
});
