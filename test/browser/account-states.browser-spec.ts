import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BuiltInAccountPages } from '#libs/account-page';
import { problemsInEveryLook } from '../support/accessibility.js';
import { startChromium, VirtualAuthenticator } from '../support/chromium.js';
import { eventually } from '../support/eventually.js';
import { creationOptions, requestOptions, startPageServer } from '../support/page-fixture.js';

const ID = 'QW5u';
const LONG = 'W'.repeat(40);
const HOSTILE = '<img src=x onerror=alert(1)>';
const pages = new BuiltInAccountPages();
const states = (origin: string) => ({
  '/svc/account': pages.account({
    serviceName: 'Gatehouse',
    origin,
    user: { id: ID, displayName: LONG },
  }),
  '/signed-out': pages.signedOut({ serviceName: 'Gatehouse', origin }),
});

const now = Math.floor(Date.now() / 1000);
const passkey = (id: string, more = {}) => ({
  id: id.repeat(22),
  name: null,
  provider: null,
  synced: true,
  createdAt: now - 100_000,
  lastUsedAt: null,
  current: false,
  ...more,
});
const session = (id: string, more = {}) => ({
  id,
  browser: 'Firefox on Windows',
  createdAt: now - 200_000,
  lastSeenAt: now - 400,
  expiresAt: now + 1000,
  current: false,
  ...more,
});
const many = [
  passkey('a', { name: LONG, provider: 'Google Password Manager', current: true }),
  passkey('b', { name: 'מפתח הכספת', synced: false, lastUsedAt: now - 90_000 }),
  passkey('c', { name: HOSTILE, synced: null }),
];

type Answer = { readonly status?: number; readonly headers?: object; readonly json: object };
const me = (id: string | null) => ({
  json: {
    user: id === null ? null : { id, displayName: 'Ann' },
    budget: { used: 374, limit: 1000, resetsAt: '2026-11-23T00:00:00.000Z' },
  },
});

describe('the account page, whatever the service says', () => {
  let server: Awaited<ReturnType<typeof startPageServer>>;
  let chromium: Browser;
  let context: BrowserContext;
  let page: Page;
  /** By method and path below /svc. */
  let answers: Record<string, Answer | 'unreachable'>;
  let complaints: string[];

  beforeAll(async () => {
    [server, chromium] = await Promise.all([startPageServer(states), startChromium()]);
  });
  beforeEach(async () => {
    context = await chromium.newContext();
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (opened) => complaints.push(opened.message()));
    answers = {
      'GET auth/me': me(ID),
      'GET me/passkeys': { json: { passkeys: many } },
      'GET me/recovery-codes': { json: { left: 0, createdAt: null } },
      'GET me/sessions': {
        json: { sessions: [session('1', { current: true }), session('2', { browser: null })] },
      },
      'POST auth/login/options': { json: requestOptions },
      'POST auth/register/options': { json: creationOptions },
    };
    await page.addInitScript(recordSignals);
    await page.route(/\/svc\/(me|auth)\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      const answer = answers[`${route.request().method()} ${pathname.slice('/svc/'.length)}`];
      if (answer === undefined || answer === 'unreachable') return route.abort();
      const { status = 200, headers = {}, json } = answer;
      return route.fulfill({ status, headers: { ...headers }, json });
    });
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
  });
  afterAll(async () => {
    await chromium.close();
    await server.stop();
  });

  const open = async (shown = '#passkey-list li') => {
    await page.goto(`${server.origin}/svc/account`);
    await page.locator(shown).first().waitFor();
  };
  const signals = () => page.evaluate<readonly [string, object][]>('globalThis.signals');
  const alert = (words: string) => page.getByRole('alert').filter({ hasText: words }).waitFor();
  const answer = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const removeSecond = async () => {
    await page.getByRole('button', { name: 'Remove' }).nth(1).click();
    await answer('Remove passkey');
  };

  it('many passkeys, long, foreign and hostile names: accessible in every look, text as it is', async () => {
    await open();
    expect(await page.getByText(HOSTILE, { exact: true }).count()).toBe(1);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('one passkey, its dialogs and what a fresh sign-in asks: accessible in every look', async () => {
    answers['GET me/passkeys'] = { json: { passkeys: [passkey('a', { synced: false })] } };
    await open();
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rename' }).click();
    expect(await problemsInEveryLook(page)).toEqual([]);
    answers['PATCH me/passkeys/' + 'a'.repeat(22)] = {
      status: 400,
      json: { error: 'name is too long; it takes 1 to 40 characters' },
    };
    await answer('Save');
    await alert('The name is too long; it takes 1 to 40 characters.');
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.route('**/svc/me', (route) =>
      route.fulfill({ status: 403, json: { error: 'x', reason: 'sign_in_again' } }),
    );
    await page.getByRole('button', { name: 'Delete account…' }).click();
    await page.getByRole('textbox').fill('delete');
    await answer('Delete account for good');
    await page.getByText('Is it you?').waitFor();
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('what cannot be loaded says so in its place, and is loaded when asked again', async () => {
    answers['GET me/passkeys'] = 'unreachable';
    answers['GET me/sessions'] = {
      status: 500,
      headers: { 'x-request-id': '7-7' },
      json: { error: 'internal error' },
    };
    await open('#budget-left');
    await alert('could not be reached');
    await alert('request 7-7');
    expect(await problemsInEveryLook(page)).toEqual([]);
    answers['GET me/passkeys'] = { json: { passkeys: many } };
    await page.locator('#passkeys').getByRole('button', { name: 'Try again' }).click();
    await page.locator('#passkey-list li').first().waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('passkeys-heading');
  });

  it('every target is at least 44 px high, and nothing moves once it is shown', async () => {
    await open();
    const targets = await page.locator('button, a.button, input').filter({ visible: true }).all();
    expect(targets.length).toBeGreaterThan(8);
    for (const target of targets) {
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    const top = async () => (await page.locator('#deletion').boundingBox())?.y;
    const before = await top();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(async () => expect((await signals()).length).toBeGreaterThan(2));
    expect(await top()).toBe(before);
  });

  it('passkey managers get the whole list of this account, and its name', async () => {
    await open();
    const userId = Buffer.from(ID).toString('base64url');
    const allAcceptedCredentialIds = many.map(({ id }) => id);
    await eventually(async () =>
      expect(await signals()).toEqual([
        ['all', { rpId: 'localhost', userId, allAcceptedCredentialIds }],
        ['user', { rpId: 'localhost', userId, name: 'Ann', displayName: 'Ann' }],
      ]),
    );
  });

  it.each([
    ['of an account that another tab signed in with', { 'GET auth/me': me('QmVu') }],
    ['of nobody', { 'GET auth/me': me(null) }],
    ['that is empty', { 'GET me/passkeys': { json: { passkeys: [] } } }],
    ['that did not come', { 'GET me/passkeys': 'unreachable' as const }],
  ])('no list %s is given to passkey managers', async (_whose, changes) => {
    Object.assign(answers, changes);
    await open('#session-list li');
    await page.waitForLoadState('networkidle');
    expect((await signals()).filter(([kind]) => kind === 'all')).toEqual([]);
  });

  it('a passkey under way is not deleted by a list without it', async () => {
    const device = await VirtualAuthenticator.plugInto(page);
    await open();
    await eventually(async () => expect(await signals()).toHaveLength(2));
    await device.isTouched(false);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('asks you to save a passkey').waitFor();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.waitForLoadState('networkidle');
    expect(await signals()).toHaveLength(2);
  });

  it.each([
    [403, 'sign in again to add a passkey', 1],
    [409, 'this passkey is already registered', 0],
    [503, 'storage does not answer', 0],
  ])('a new passkey refused with %d is forgotten, or not', async (status, error, times) => {
    await VirtualAuthenticator.plugInto(page);
    answers['POST auth/register/verify'] = { status, json: { error } };
    await open();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await alert(status === 503 ? 'not available' : error);
    expect((await signals()).filter(([kind]) => kind === 'unknown')).toHaveLength(times);
  });

  it.each([
    ['another account is signed in by now', me('QmVu'), 'Another account is signed in here'],
    ['nobody is signed in any more', me(null), 'You are not signed in here any more'],
  ])('nothing is done when %s', async (_who, changed, words) => {
    await open();
    answers['GET auth/me'] = changed;
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = { status: 500, json: {} };
    await removeSecond();
    await alert(words);
  });

  it.each([
    [409, 'last passkey', 'It is your last passkey by now'],
    [429, 'slow down', 'Too many attempts. Try again in 2 minutes.'],
    [503, 'storage', 'not available at the moment'],
  ])('a removal refused with %d says what to do', async (status, error, words) => {
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = {
      status,
      headers: status === 429 ? { 'retry-after': '90' } : {},
      json: { error },
    };
    await open();
    await removeSecond();
    await alert(words);
    await answer('Cancel');
  });

  it('a passkey that is gone already counts as removed', async () => {
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = { status: 404, json: { error: 'gone' } };
    await open();
    await removeSecond();
    await page.getByRole('status').filter({ hasText: 'Passkey removed.' }).waitFor();
  });

  it('signed out: accessible in every look', async () => {
    await page.goto(`${server.origin}/signed-out`);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });
});

const recordSignals = `
  globalThis.signals = [];
  const record = (kind) => async (details) => void signals.push([kind, details]);
  PublicKeyCredential.signalAllAcceptedCredentials = record('all');
  PublicKeyCredential.signalCurrentUserDetails = record('user');
  PublicKeyCredential.signalUnknownCredential = record('unknown');`;
