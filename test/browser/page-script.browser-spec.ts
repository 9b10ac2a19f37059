import type { Browser, BrowserContext, Page } from 'playwright-core';
import { consentPage, type PageContext, signInPage } from '#libs/ui-templates';
import { startChromium, VirtualAuthenticator } from '../support/chromium.js';
import { eventually } from '../support/eventually.js';
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
  '/consent': consentPage({ ...app(origin), userName: 'Ann', handle: 'h', scopes: [] }),
});
const EXPIRED = {
  status: 400,
  body: { error: 'sign-in expired or was already used; start again' },
};

describe('the page script in Chromium', () => {
  let server: Awaited<ReturnType<typeof startPageServer>>;
  let chromium: Browser;
  let context: BrowserContext;
  let page: Page;
  let api: FakeAuthApi;
  let authenticator: VirtualAuthenticator;
  let loads: number;

  beforeAll(async () => {
    [server, chromium] = await Promise.all([startPageServer(pages), startChromium()]);
  });
  beforeEach(async () => {
    context = await chromium.newContext();
    page = await context.newPage();
    api = await FakeAuthApi.behind(page);
    authenticator = await VirtualAuthenticator.plugInto(page);
    await page.goto(`${server.origin}/sign-in?state=1#part`);
    loads = 0;
    page.on('domcontentloaded', () => (loads += 1));
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await chromium.close();
    await server.stop();
  });

  const signInButton = () => page.getByRole('button', { name: 'Sign in with a passkey' });
  const createButton = () => page.getByRole('button', { name: 'Create account' });
  const status = () => page.getByRole('status');
  const said = (words: string) => status().filter({ hasText: words }).waitFor();
  const focused = () => page.locator(':focus').getAttribute('id');
  const nextLoad = () => page.waitForEvent('load', { timeout: 15_000 });
  const signUp = async () => {
    const loaded = nextLoad();
    // Not by typing: going to the field would offer the passkeys that are there.
    await page.locator('#name').evaluate((field) => Object.assign(field, { value: 'Ann' }));
    await createButton().click();
    await loaded;
  };
  const signIn = async () => {
    const loaded = nextLoad();
    await signInButton().click();
    await loaded;
  };

  it('creates an account and goes on at its own address', async () => {
    await signUp();
    expect(api.routes).toEqual(['register/options', 'register/verify']);
    expect(api.asked[0]?.body).toEqual({ displayName: 'Ann' });
    expect(api.asked[1]?.body).toMatchObject({ type: 'public-key' });
    expect(page.url()).toBe(`${server.origin}/sign-in?state=1`);
  });

  it('signs in and goes on at its own address', async () => {
    await signUp();
    api.asked.length = 0;
    await signIn();
    expect(api.routes).toEqual(['login/options', 'login/verify']);
    expect(api.asked[1]?.body).toMatchObject({ response: { userHandle: 'QW5u' } });
  });

  it('an expired challenge is replaced once, without a word', async () => {
    await signUp();
    api.answers('login/verify', EXPIRED);
    await signIn();
    expect(api.routes.slice(2)).toEqual([
      'login/options',
      'login/verify',
      'login/options',
      'login/verify',
    ]);
  });

  it('a challenge that expires twice is explained', async () => {
    await signUp();
    api.answers('login/verify', EXPIRED, EXPIRED);
    await signInButton().click();
    await said('That took too long.');
    expect(api.routes.slice(2)).toHaveLength(4);
  });

  it('offers passkeys on the name field, only once somebody goes there', async () => {
    await signUp();
    expect(api.routes.slice(2)).toEqual([]);
    const loaded = nextLoad();
    await page.locator('#name').focus();
    await loaded;
    expect(api.routes.slice(2)).toEqual(['login/options', 'login/verify']);
  });

  it('a passkey picked on the name field with an expired challenge is asked for again', async () => {
    await signUp();
    api.answers('login/verify', EXPIRED);
    const loaded = nextLoad();
    await page.locator('#name').focus();
    await loaded;
    expect(api.routes.slice(2)).toHaveLength(4);
  });

  it('the offer on the name field gives way to a button, and comes back after a failure', async () => {
    await authenticator.isTouched(false);
    await page.locator('#name').focus();
    await eventually(() => expect(api.routes).toEqual(['login/options']));
    api.answers('login/options', { status: 503 });
    await signInButton().click();
    await said('not available');
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
    await page.locator('#name').evaluate((field) => Object.assign(field, { value: 'Ann' }));
    await button().click();
    await said(words);
    expect(await focused()).toBe(id);
    expect(await page.locator('button:visible:disabled').count()).toBe(0);
    expect(loads).toBe(0);
  });

  it.each([
    ['no connection', 'unreachable', 'could not be reached'],
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
    await signUp();
    api.answers('login/verify', { status: 400, body: { error: '<b>not</b> registered here' } });
    await signInButton().click();
    await said('That did not work: <b>not</b> registered here. Try again');
  });

  it('a refused name is marked and focused', async () => {
    const error = 'display name is 1 to 40 characters';
    api.answers('register/options', { status: 400, body: { error } });
    await page.locator('#name').evaluate((field) => Object.assign(field, { value: ' ' }));
    await createButton().click();
    await said(error);
    expect(await focused()).toBe('name');
    expect(await page.locator('#name').getAttribute('aria-invalid')).toBe('true');
  });

  it('buttons are off while a ceremony runs', async () => {
    await authenticator.isTouched(false);
    await signInButton().click();
    await said('Waiting for your passkey');
    expect(await page.locator('button:visible:enabled').count()).toBe(0);
  });

  it('a browser without passkeys gets the link to copy', async () => {
    await page.addInitScript('delete globalThis.PublicKeyCredential');
    await page.reload();
    await page.getByRole('heading', { name: 'cannot use passkeys' }).waitFor();
    expect(await page.getByLabel('Link to this page').inputValue()).toBe(page.url());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await said('Link copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    expect(await signInButton().isDisabled()).toBe(true);
  });

  it('another account can be used on the consent page', async () => {
    await page.goto(`${server.origin}/consent`);
    const loaded = nextLoad();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await loaded;
    expect(api.routes).toEqual(['logout']);
  });

  it('a consent is answered once', async () => {
    const answers: string[] = [];
    await page.clock.install();
    await page.goto(`${server.origin}/consent`);
    await page.route('**/svc/oauth/authorize', (route) => {
      answers.push(route.request().postData() ?? '');
      return route.fulfill({ status: 204 });
    });
    await page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    await page.clock.runFor(2000);
    await said('Answer sent.');
    expect(answers).toEqual(['handle=h&decision=approve']);
  });

  it.each([
    ['goes on', '127.0.0.1', '/sign-in?code=1'],
    ['is stopped, and that is said', 'other.localhost', '/consent'],
  ])('an answer that %s', async (_case, host, path) => {
    const { origin, addressOrigin } = server;
    const location = `${addressOrigin.replace('127.0.0.1', host)}/sign-in?code=1`;
    await page.goto(`${origin}/consent`);
    await page.route('**/svc/oauth/authorize', (route) =>
      route.fulfill({ status: 302, headers: { location } }),
    );
    await page.getByRole('button', { name: 'Allow', exact: true }).click({ noWaitAfter: true });
    if (path === '/consent') await said('Your browser stopped the way back');
    await page.waitForURL(`**${path}`);
  });
});
