import type { Page } from 'playwright-core';
import { type PageContext, signInPage } from '#libs/ui-templates';
import { useChromium, type VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { FakeAuthApi, startPageServer } from '../support/page-fixture.js';

const app = (origin: string): PageContext => ({
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: null },
  redirect: { uri: `${origin.replace('localhost', '127.0.0.1')}/sign-in` },
  extraFormActions: [],
  origin,
});
const pages = (origin: string) => ({
  '/sign-in': signInPage(app(origin)),
});
const EXPIRED = {
  status: 400,
  body: { error: 'sign-in expired or was already used; start again' },
};

describe('the script of the sign-in page in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() => startPageServer(pages));
  let page: Page;
  let api: FakeAuthApi;
  let authenticator: VirtualAuthenticator;
  let loads: number;

  beforeEach(async () => {
    ({ page, device: authenticator } = await chromium.open());
    api = await FakeAuthApi.behind(page);
    await page.goto(`${server.origin}/sign-in?state=1#part`);
    loads = 0;
    page.on('domcontentloaded', () => (loads += 1));
  });

  const signInButton = () => page.getByRole('button', { name: 'Sign in with a passkey' });
  const createButton = () => page.getByRole('button', { name: 'Create account' });
  const status = () => page.getByRole('status');
  const said = (words: string) => status().filter({ hasText: words }).waitFor();
  const offersImmediately = () =>
    page.evaluate<boolean>(
      'PublicKeyCredential.getClientCapabilities().then((has) => has.immediateGet === true)',
    );
  const focused = () => page.locator(':focus').getAttribute('id');
  const nextLoad = () => page.waitForEvent('load', { timeout: 15_000 });
  const signUp = async () => {
    const loaded = nextLoad();
    await page.getByLabel('Your name').fill('Ann');
    await createButton().click();
    await loaded;
  };
  /** Creates a passkey, and clears the recorded requests. */
  const signUpBefore = async () => {
    await signUp();
    api.asked.length = 0;
  };
  const signIn = async () => {
    const loaded = nextLoad();
    await signInButton().click();
    await loaded;
  };

  it('creates an account and goes on at its own address', async () => {
    await signUp();
    // At the same time passkeys were offered in the name field.
    const asked = api.asked.filter(({ route }) => route !== 'login/options');
    expect(asked).toEqual([
      { route: 'register/options', body: { displayName: 'Ann' } },
      { route: 'register/verify', body: expect.objectContaining({ type: 'public-key' }) },
    ]);
    expect(page.url()).toBe(`${server.origin}/sign-in?state=1`);
  });

  it('signs in and goes on at its own address', async () => {
    await signUpBefore();
    await signIn();
    expect(api.routes).toEqual(['login/options', 'login/verify']);
    expect(api.asked[1]?.body).toMatchObject({ response: { userHandle: 'QW5u' } });
  });

  it('an expired challenge is replaced once, and no message is shown', async () => {
    await signUpBefore();
    api.answers('login/verify', EXPIRED);
    await signIn();
    expect(api.routes).toEqual(['login/options', 'login/verify', 'login/options', 'login/verify']);
  });

  it('a challenge that expires twice is explained', async () => {
    await signUpBefore();
    api.answers('login/verify', EXPIRED, EXPIRED);
    await signInButton().click();
    await said('That took too long.');
    expect(api.routes).toHaveLength(4);
  });

  it('offers passkeys on the name field, only once a person goes there', async () => {
    await signUpBefore();
    expect(api.routes).toEqual([]);
    const loaded = nextLoad();
    await page.getByLabel('Your name').focus();
    await loaded;
    expect(api.routes).toEqual(['login/options', 'login/verify']);
  });

  it('a passkey picked on the name field with an expired challenge is asked for again', async () => {
    await signUpBefore();
    api.answers('login/verify', EXPIRED);
    const loaded = nextLoad();
    await page.locator('#name').focus();
    await loaded;
    expect(api.routes).toHaveLength(4);
  });

  it('the offer on the name field gives way to a button, and comes back after a failure', async () => {
    await authenticator.isTouched(false);
    await page.locator('#name').focus();
    await eventually(() => expect(api.routes).toEqual(['login/options']));
    api.answers('login/options', { status: 503 });
    await signInButton().click();
    await said('temporarily unavailable');
    await page.locator('#name').focus();
    await eventually(() => expect(api.routes).toHaveLength(3));
    expect(loads).toBe(0);
  });

  it.each([
    ['signing in', signInButton, 'sign-in', 'Nothing has changed'],
    ['creating', createButton, 'create', 'No account was created'],
  ] as const)('%s: a cancelled ceremony is explained, and can be repeated', async (...rest) => {
    const [, button, id, words] = rest;
    await authenticator.verifiesUser(false);
    await page.locator('#name').fill('Ann');
    await button().click();
    if (id === 'sign-in' && (await offersImmediately())) {
      await said('No passkey was used.');
      await button().click();
    }
    await said(words);
    expect(await focused()).toBe(id);
    expect(await page.locator('button:visible:disabled').count()).toBe(0);
    expect(loads).toBe(0);
  });

  it.each([
    ['no connection', 'unreachable', 'Couldn’t reach the service'],
    ['too many', { status: 429, headers: { 'retry-after': '60' } }, 'Try again in 1 minute.'],
    ['too many', { status: 429, headers: { 'retry-after': '10' } }, 'Try again in 10 seconds.'],
    ['no storage', { status: 503 }, 'Try again in a moment.'],
    ['a bug', { status: 500, body: { error: 'internal error (request 7)' } }, 'went wrong'],
  ] as const)('%s is said in words', async (_case, answer, words) => {
    api.answers('login/options', answer);
    await signInButton().click();
    await said(words);
    expect(await focused()).toBe('sign-in');
  });

  it('a refused passkey is given with its reason', async () => {
    await signUpBefore();
    api.answers('login/verify', { status: 400, body: { error: '<b>not</b> registered here' } });
    await signInButton().click();
    await said('That didn’t work: <b>not</b> registered here.');
  });

  it('a refused name is marked and focused', async () => {
    const error = 'displayName has an invisible character, U+200B, at position 5; delete it';
    api.answers('register/options', { status: 400, body: { error } });
    await page.locator('#name').fill('Your\u200bname');
    await createButton().click();
    await page
      .getByRole('alert')
      .filter({
        hasText: '“Your name” has an invisible character, U+200B, at position 5; delete it.',
      })
      .waitFor();
    expect(await page.locator('#status').textContent()).toBe('');
    expect(await focused()).toBe('name');
    expect(await page.locator('#name').getAttribute('aria-invalid')).toBe('true');
    api.answers('register/options', { status: 503 });
    await createButton().click();
    await said('temporarily unavailable');
    expect(await page.locator('#name').getAttribute('aria-invalid')).toBeNull();
    expect(await page.locator('#name-fault').textContent()).toBe('');
  });

  it('a name that is refused for another reason is not marked', async () => {
    const error = 'you are already signed in; sign out first';
    api.answers('register/options', { status: 400, body: { error } });
    await page.locator('#name').fill('Ann');
    await createButton().click();
    await said('You’re already signed in, perhaps in another tab.');
    expect(await page.locator('#name').getAttribute('aria-invalid')).toBeNull();
  });

  it('all buttons but the one to cancel are off while a ceremony runs', async () => {
    await authenticator.isTouched(false);
    // Where the browser looks for passkeys of this device first, that ends by itself.
    if (await offersImmediately()) {
      await signInButton().click();
      await said('press the button again');
    }
    await signInButton().click();
    await said('Waiting for your passkey');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await page.locator('button:visible:enabled').count()).toBe(1);
  });

  it('a browser without passkeys gets the link to copy', async () => {
    await page.addInitScript('delete globalThis.PublicKeyCredential');
    await page.reload();
    await page.getByRole('heading', { name: 'doesn’t support passkeys' }).waitFor();
    expect(await page.getByLabel('Link to this page').inputValue()).toBe(page.url());
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await said('Link copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    expect(await signInButton().isDisabled()).toBe(true);
  });
});
