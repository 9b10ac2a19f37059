import type { Page } from 'playwright-core';
import { consentPage, type PageContext, signInPage } from '#libs/ui-templates';
import { useChromium, type VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { FakeAuthApi, startPageServer } from '../support/page-fixture.js';

const app = (origin: string): PageContext => ({
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: null },
  redirect: { uri: 'https://notes.example/callback' },
  extraFormActions: [],
  origin,
});
const pages = (origin: string) => ({
  '/sign-in': signInPage(app(origin)),
  '/consent': consentPage({ ...app(origin), userName: 'Ann', handle: 'h', scopes: [] }),
});

/** Simulates browsers with and without a capability that depends on the version of headless Chromium. */
const immediateGet = (outcome: 'unsupported' | 'throws' | 'refuses' | 'answers') => `
  globalThis.modes = [];
  PublicKeyCredential.getClientCapabilities = async () => {
    if ('${outcome}' === 'throws') throw new TypeError('no');
    return { immediateGet: '${outcome}' !== 'unsupported' };
  };
  const { get } = navigator.credentials;
  navigator.credentials.get = async ({ uiMode, ...options }) => {
    modes.push(uiMode ?? 'modal');
    if (uiMode && '${outcome}' === 'refuses') throw new DOMException('none', 'NotAllowedError');
    return get.call(navigator.credentials, options);
  };`;

describe('signing in with what this browser has', () => {
  const chromium = useChromium();
  const server = useStarted(() => startPageServer(pages));
  const { said } = chromium;
  let page: Page;
  let api: FakeAuthApi;
  let authenticator: VirtualAuthenticator;

  beforeEach(async () => {
    ({ page, device: authenticator } = await chromium.open());
    api = await FakeAuthApi.behind(page);
  });

  const open = (path = '/sign-in') => page.goto(server.origin + path);
  const signInButton = () => page.getByRole('button', { name: 'Sign in with a passkey' });
  const signIn = async () => {
    const loaded = page.waitForEvent('load', { timeout: 15_000 });
    await signInButton().click();
    await loaded;
  };
  const modes = () => page.evaluate<string[]>('modes');
  const hint = () => page.locator('#known').innerText();
  const kept = () => page.evaluate<object>('({ ...localStorage })');

  describe('immediately, where the browser can', () => {
    it.each([
      ['answers', ['immediate']],
      ['unsupported', ['modal']],
      ['throws', ['modal']],
    ] as const)('%s', async (outcome, asked) => {
      await page.addInitScript(immediateGet(outcome));
      await open();
      await authenticator.keepPasskey('localhost', 'QW5u');
      api.answers('login/verify', { status: 503 });
      await signInButton().click();
      await said('temporarily unavailable');
      expect(await modes()).toEqual(asked);
      expect(api.asked[1]?.body).toMatchObject({ type: 'public-key' });
    });

    it('a browser without a passkey at hand shows a message and no dialog, and the next press offers all passkeys', async () => {
      await page.addInitScript(immediateGet('refuses'));
      await open();
      await authenticator.keepPasskey('localhost', 'QW5u');
      await signInButton().click();
      await said('If yours is on a phone or a security key, press the button again.');
      expect(api.routes).toEqual(['login/options']);
      expect(await page.locator(':focus').getAttribute('id')).toBe('sign-in');
      api.answers('login/verify', { status: 503 });
      await signInButton().click();
      await said('temporarily unavailable');
      expect(await modes()).toEqual(['immediate', 'modal']);
    });

    it('as this very browser has it', async () => {
      await open();
      await authenticator.keepPasskey('localhost', 'QW5u');
      await signIn();
      expect(api.routes).toEqual(['login/options', 'login/verify']);
    });
  });

  it('a press of the button ends the offer in the name field', async () => {
    await page.addInitScript(immediateGet('refuses'));
    await open();
    await authenticator.isTouched(false);
    await page.locator('#name').focus();
    await eventually(() => expect(api.routes).toEqual(['login/options']));
    await eventually(async () => expect(await modes()).toEqual(['modal']));
    await signInButton().click();
    await said('No passkey was used.');
    expect(await modes()).toEqual(['modal', 'immediate']);
  });

  it('… and the offer does not end what a press began', async () => {
    await page.addInitScript(immediateGet('unsupported'));
    await open();
    await authenticator.isTouched(false);
    await signInButton().click();
    await eventually(async () => expect(await modes()).toEqual(['modal']));
    await page.locator('#name').focus();
    await said('Waiting for your passkey');
    await authenticator.keepPasskey('localhost', 'QW5u');
    expect(api.routes).toEqual(['login/options']);
  });

  describe('a browser that was signed in here before', () => {
    it('says so after a sign-in, and has kept neither name nor time', async () => {
      await open();
      expect(await hint()).toBe('If you already have an account, sign in with your passkey.');
      expect(await kept()).toEqual({});
      await authenticator.keepPasskey('localhost', 'QW5u');
      await signIn();
      expect(await hint()).toContain('Someone has signed in with this browser before.');
      expect(await kept()).toEqual({ 'gatehouse-signed-in-before': 'yes' });
    });

    it('… and after a visit of the consent page', async () => {
      await open('/consent');
      await open();
      expect(await hint()).toContain('Someone has signed in with this browser before.');
    });

    it('… but not after a sign-in that failed, nor where nothing may be kept', async () => {
      await open();
      await authenticator.keepPasskey('localhost', 'QW5u');
      api.answers('login/verify', { status: 400, body: { error: 'no' } });
      await signInButton().click();
      await said('That didn’t work');
      await page.reload();
      expect(await hint()).toBe('If you already have an account, sign in with your passkey.');
      await page.addInitScript(`Object.defineProperty(globalThis, 'localStorage', {
        get() { throw new DOMException('no', 'SecurityError'); },
      });`);
      await open();
      await signIn();
      expect(await hint()).toBe('If you already have an account, sign in with your passkey.');
    });
  });
});
