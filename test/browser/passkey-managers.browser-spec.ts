import type { Page } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const HOUR_MS = 60 * 60 * 1000;

/** Replaces the browser's credentials by what `odd` makes of plain copies of their members. */
const answering = (odd: string) => `
  const odd = ${odd};
  const MEMBERS =
    ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  for (const name of ['get', 'create']) {
    const native = navigator.credentials[name].bind(navigator.credentials);
    navigator.credentials[name] = async (options) => {
      const { id, rawId, type, response } = await native(options);
      const members = MEMBERS.filter((member) => response[member] != null);
      const copies = Object.fromEntries(members.map((member) => [member, response[member]]));
      return odd({
        id, rawId, type, getClientExtensionResults: () => ({}),
        response: { ...copies, getTransports: () => ['internal'] },
      });
    };
  }`;
const eachBuffer = (change: string) => `(credential) => {
  const change = ${change};
  const isBuffer = (value) => value instanceof ArrayBuffer;
  const changed = (members) => Object.fromEntries(
    Object.entries(members).map(([name, it]) => [name, isBuffer(it) ? change(it) : it]));
  return { ...changed(credential), response: changed(credential.response) };
}`;
const fails = `() => { throw new TypeError('Illegal invocation'); }`;

/** Dialogs that never end, as those of an extension that ignores the signal; of the kind `kinds` alone. */
const hanging = (...kinds: readonly ('get' | 'create')[]) => `
  globalThis.opened = [];
  for (const name of ${JSON.stringify(kinds)}) {
    navigator.credentials[name] = ({ mediation, signal }) =>
      new Promise(() => mediation !== 'conditional' && opened.push(signal));
  }`;

describe('passkey managers and extensions in Chromium (contract: What is forgiven)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { button, dialog, focused, said } = chromium;
  let page: Page;

  beforeEach(async () => {
    ({ page } = await chromium.open());
  });

  const open = () => page.goto(`${gatehouse.origin}/svc/account`);
  const signInButton = () => button('Sign in with a passkey');
  const passkeys = () => chromium.rows('Passkeys');
  const signUp = () => chromium.signUp(gatehouse.origin);
  const signOut = async () => {
    await button('Sign out').first().click();
    await signInButton().waitFor();
  };
  /** Whether the page aborted each dialog that it opened. */
  const aborted = () => page.evaluate<boolean[]>('opened.map(({ aborted }) => aborted)');
  const isOpen = () => eventually(async () => expect(await aborted()).toEqual([false]));
  /** Lets the options of the ceremonies expire after that time. */
  const expireAfter = (timeout: number) =>
    page.route('**/svc/auth/*/options', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), timeout } });
    });

  it.each([
    ['an extension whose toJSON throws', `(it) => ({ ...it, toJSON: ${fails} })`],
    ['an old manager without toJSON', '(it) => it'],
    ['an extension that answers in Uint8Arrays', eachBuffer('(it) => new Uint8Array(it)')],
    [
      'an extension that answers in parts of a larger buffer',
      eachBuffer(`(it) => {
        const larger = new Uint8Array(it.byteLength + 9);
        larger.set(new Uint8Array(it), 4);
        return new DataView(larger.buffer, 4, it.byteLength);
      }`),
    ],
    [
      'an extension that answers in base64url',
      eachBuffer(`(it) => btoa(String.fromCharCode(...new Uint8Array(it)))
        .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')`),
    ],
    [
      'a manager without getClientExtensionResults',
      '(it) => ({ ...it, getClientExtensionResults: undefined })',
    ],
    [
      'an extension whose methods all throw',
      `(it) => ({
        ...it, toJSON: ${fails}, getClientExtensionResults: ${fails},
        response: { ...it.response, getTransports: ${fails} },
      })`,
    ],
    [
      'a manager whose id is base64 with padding, and without a type',
      `(it) => ({
        ...it, type: undefined, id: btoa(String.fromCharCode(...new Uint8Array(it.rawId))) + '=',
      })`,
    ],
    [
      'an old manager whose user handle is empty',
      `(it) => ({ ...it, response: { ...it.response, userHandle: new ArrayBuffer(0) } })`,
    ],
  ])('%s: sign-up, sign-in, and one passkey more', async (_manager, odd) => {
    await page.addInitScript(answering(odd));
    await signUp();
    await signOut();
    await signInButton().click();
    await passkeys().first().waitFor();
    await VirtualAuthenticator.plugInto(page, 'usb');
    await button('Add a passkey').click();
    await dialog().getByRole('heading', { name: 'Name your passkey' }).waitFor();
    await expect(passkeys().count()).resolves.toBe(2);
  });

  describe('a dialog that never ends', () => {
    it.each([
      ['signing in', 'Sign in with a passkey', 'sign-in'],
      ['creating an account', 'Create account with a passkey', 'create'],
    ])('%s: can be cancelled, and the next one is another', async (_what, name, id) => {
      await page.addInitScript(hanging('get', 'create'));
      await open();
      await page.locator('#name').fill('Ann');
      expect(await button('Cancel').isVisible()).toBe(false);
      await button(name).click();
      await isOpen();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await button('Cancel').click();
      await said('Canceled or timed out.');
      expect([await aborted(), await focused()]).toEqual([[true], id]);
      expect(await button('Cancel').count()).toBe(0);
      await button(name).click();
      await eventually(async () => expect(await aborted()).toEqual([true, false]));
    });

    it.each([
      ['signing in', 'Sign in with a passkey'],
      ['creating an account', 'Create account with a passkey'],
    ])('%s: is given up when the options have expired', async (_what, name) => {
      await page.addInitScript(hanging('get', 'create'));
      await expireAfter(200);
      await open();
      await page.locator('#name').fill('Ann');
      await button(name).click();
      await said('Canceled or timed out.');
      expect(await aborted()).toEqual([true]);
    });

    it('adding a passkey: can be cancelled, and is given up', async () => {
      await signUp();
      await page.evaluate(hanging('create'));
      await button('Add a passkey').click();
      await isOpen();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await button('Cancel').click();
      await page.getByText('No passkey was added. You can try again.').waitFor();
      expect([await aborted(), await focused()]).toEqual([[true], 'add-passkey']);
      await expireAfter(200);
      await button('Add a passkey').click();
      await eventually(async () => expect(await aborted()).toEqual([true, true]));
      await page.getByText('No passkey was added. You can try again.').waitFor();
    });

    it('signing in again: can be cancelled, and is given up', async () => {
      await signUp();
      advanceClock(HOUR_MS);
      await page.evaluate(hanging('get'));
      await button('Create recovery codes').click();
      await dialog().getByRole('button', { name: 'Use a passkey' }).click();
      await isOpen();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().getByText('Canceled or timed out. Nothing was changed.').waitFor();
      expect(await aborted()).toEqual([true]);
      await expireAfter(200);
      await dialog().getByRole('button', { name: 'Use a passkey' }).click();
      await eventually(async () => expect(await aborted()).toEqual([true, true]));
      await dialog().getByText('Canceled or timed out. Nothing was changed.').waitFor();
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('You didn’t confirm it’s you, so nothing was changed.').waitFor();
    });

    it('another account on the consent page: can be cancelled', async () => {
      await signUp();
      const client = await OAuthClient.register(gatehouse);
      await page.addInitScript(hanging('get'));
      await page.goto(gatehouse.origin + client.authorizePath());
      await button('Use another account').click();
      await isOpen();
      await button('Cancel').click();
      await said('You’re still signed in as before.');
      expect([await aborted(), await focused()]).toEqual([[true], 'switch-account']);
    });
  });

  it('a manager that refuses to suggest passkeys and brings the focus back: asked four times', async () => {
    let asked = 0;
    await page.route('**/svc/auth/login/options', (route) => {
      asked += 1;
      return route.continue();
    });
    await page.addInitScript(`
      globalThis.refused = 0;
      const again = () => { const name = document.getElementById('name'); name.blur(); name.focus(); };
      const { get } = navigator.credentials;
      navigator.credentials.get = async (options) => {
        if (options.mediation !== 'conditional') return get.call(navigator.credentials, options);
        refused += 1;
        setTimeout(again);
        setTimeout(again, 10);
        throw new DOMException('no', 'NotAllowedError');
      };`);
    await open();
    await page.locator('#name').focus();
    await eventually(async () => expect(await page.evaluate('refused')).toBe(4));
    for (let n = 0; n < 10; n += 1) {
      await page.locator('#sign-in').focus();
      await page.locator('#name').focus();
      await page.evaluate(`fetch('/svc/auth/me').then((answer) => answer.text())`);
    }
    expect([await page.evaluate('refused'), asked]).toEqual([4, 4]);
    await signInButton().click();
    await eventually(() => expect(asked).toBe(5));
  });
});
