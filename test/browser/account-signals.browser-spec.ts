import {
  LONG,
  many,
  me,
  openStage,
  startAccountPages,
  USER_ID,
} from '../support/account-fixture.js';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';

describe('the account page and other accounts, tabs and passkey managers', () => {
  const chromium = useChromium();
  const server = useStarted(() => startAccountPages(LONG));
  const { alert, answer } = chromium;
  let { page, answers, signals } = {} as Awaited<ReturnType<typeof openStage>>;

  beforeEach(async () => {
    ({ page, answers, signals } = await openStage(chromium));
  });

  const open = async (shown = '#passkey-list li') => {
    await page.goto(`${server.origin}/svc/account`);
    await page.locator(shown).first().waitFor();
  };
  const removeSecond = async () => {
    await page.getByRole('button', { name: 'Remove' }).nth(1).click();
    await answer('Remove passkey');
  };

  it('passkey managers get the whole list of this account, and its name', async () => {
    await open();
    const userId = Buffer.from(USER_ID).toString('base64url');
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
    ['read while no one is signed in', { 'GET auth/me': me(null) }],
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
    await page.getByText('to save a passkey').waitFor();
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
    await alert(status === 503 ? 'temporarily unavailable' : error);
    expect((await signals()).filter(([kind]) => kind === 'unknown')).toHaveLength(times);
  });

  it.each([
    ['that was deleted', { 'passkey-signal': 'unknown' }, 1],
    ['that is merely unknown', {}, 0],
  ])('a passkey %s, offered to sign in, is forgotten, or not', async (_which, headers, times) => {
    const device = await VirtualAuthenticator.plugInto(page);
    await device.keepPasskey('localhost', 'QW5u');
    answers['POST auth/login/verify'] = { status: 400, headers, json: { error: 'not here' } };
    await page.goto(`${server.origin}/signed-out`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('status').filter({ hasText: 'not here' }).waitFor();
    expect((await signals()).filter(([kind]) => kind === 'unknown')).toHaveLength(times);
  });

  it.each([
    ['another account is signed in by now', me('QmVu'), 'now signed in to another account'],
    ['no one is signed in any more', me(null), 'You’ve been signed out'],
  ])('nothing is done when %s', async (_who, changed, words) => {
    await open();
    answers['GET auth/me'] = changed;
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = { status: 500, json: {} };
    await removeSecond();
    await page.getByRole('dialog').filter({ hasText: words }).waitFor();
    await answer('Cancel');
    await alert(words);
  });

  it('another account is not signed out', async () => {
    await open();
    answers['GET auth/me'] = me('QmVu');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const anew = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await anew;
    expect(sent).not.toContain('/svc/auth/logout');
  });

  it('a passkey that took too long is not added to another account instead', async () => {
    await VirtualAuthenticator.plugInto(page);
    answers['POST auth/register/verify'] = {
      status: 400,
      json: { error: 'sign-up expired or was already used; start again' },
    };
    await open();
    let ceremonies = 0;
    page.on('request', (request) => {
      if (!request.url().endsWith('/register/options')) return;
      ceremonies += 1;
      answers['GET auth/me'] = me('QmVu');
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await alert('now signed in to another account');
    expect(ceremonies).toBe(1);
  });

  it('a passkey that says not whose it is leads to nothing in another account', async () => {
    const path = `me/passkeys/${'b'.repeat(22)}`;
    answers[`DELETE ${path}`] = { status: 403, json: { error: 'x', reason: 'sign_in_again' } };
    answers['POST auth/login/verify'] = { json: {} };
    await open();
    await page.evaluate(answerAs, {});
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/login/verify')) answers['GET auth/me'] = me('QmVu');
      if (request.method() === 'DELETE') asked += 1;
    });
    await removeSecond();
    await answer('Use a passkey');
    await page
      .getByRole('dialog')
      .filter({ hasText: 'now signed in to another account' })
      .waitFor();
    expect(asked).toBe(1);
  });

  it('a fresh sign-in asks for passkeys of this account, and does not send one of another account', async () => {
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = {
      status: 403,
      json: { error: 'x', reason: 'sign_in_again' },
    };
    await open();
    await page.evaluate(answerAs, { userHandle: Buffer.from('QmVu').toString('base64url') });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await removeSecond();
    await answer('Use a passkey');
    await alert('That passkey is for another account');
    expect(sent).not.toContain('/svc/auth/login/verify');
    expect(await page.evaluate('globalThis.allowed')).toBe(many.length);
  });
});

/** Runs in the page, so it cannot use anything from its surroundings: a browser that offers any passkey. */
function answerAs({ userHandle }: { userHandle?: string }) {
  const scope = globalThis as unknown as {
    allowed: number;
    navigator: { credentials: { get(options: Asked): Promise<object> } };
  };
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    ).buffer;
  scope.navigator.credentials.get = ({ publicKey }) => {
    scope.allowed = publicKey.allowCredentials.length;
    return Promise.resolve({
      id: 'x'.repeat(22),
      rawId: bytes('xxxx'),
      type: 'public-key',
      getClientExtensionResults: () => ({}),
      response: {
        authenticatorData: bytes('xxxx'),
        clientDataJSON: bytes('xxxx'),
        signature: bytes('xxxx'),
        ...(userHandle === undefined ? {} : { userHandle: bytes(userHandle) }),
      },
    });
  };
}

interface Asked {
  readonly publicKey: { readonly allowCredentials: readonly object[] };
}
