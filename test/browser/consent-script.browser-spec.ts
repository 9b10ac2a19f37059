import type { Page } from 'playwright-core';
import { type ConsentContext, consentPage, type PageContext } from '#libs/ui-templates';
import { useChromium, type VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { FakeAuthApi, startPageServer } from '../support/page-fixture.js';

const app = (origin: string, uri: string): PageContext => ({
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: null },
  redirect: { uri },
  extraFormActions: [],
  origin,
});
const consent: Pick<ConsentContext, 'userName' | 'handle' | 'scopes'> = {
  userName: 'Ann',
  handle: 'h',
  scopes: [],
};
const pages = (origin: string) => {
  const loopback = `${origin.replace('localhost', '127.0.0.1')}/consent`;
  return {
    '/consent': consentPage({ ...app(origin, loopback), ...consent }),
    '/opens-app': consentPage({ ...app(origin, 'cursor://x.y/callback'), ...consent }),
  };
};

describe('the script of the consent page in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() => startPageServer(pages));
  const { button, said } = chromium;
  let page: Page;
  let api: FakeAuthApi;
  let authenticator: VirtualAuthenticator;

  beforeEach(async () => {
    ({ page, device: authenticator } = await chromium.open());
    api = await FakeAuthApi.behind(page);
  });

  const nextLoad = () => page.waitForEvent('load', { timeout: 15_000 });

  describe('another account', () => {
    beforeEach(async () => {
      await page.goto(`${server.origin}/consent?state=1`);
    });

    it('signs in with it, without signing out first', async () => {
      await authenticator.keepPasskey('localhost', 'QmVu');
      const loaded = nextLoad();
      await button('Use another account').click();
      await loaded;
      expect(api.routes).toEqual(['login/options', 'login/verify']);
      expect(api.asked[1]?.body).toMatchObject({ response: { userHandle: 'QmVu' } });
      expect(page.url()).toBe(`${server.origin}/consent?state=1`);
    });

    it('cancelled: who was signed in still is, and can sign out to create an account', async () => {
      await authenticator.verifiesUser(false);
      expect(await button('Sign out and create an account').count()).toBe(0);
      await button('Use another account').click();
      await said('You’re still signed in as before.');
      expect(api.routes).toEqual(['login/options']);
      expect(await page.locator('button:visible:disabled').count()).toBe(0);
      const loaded = nextLoad();
      await button('Sign out and create an account').click();
      await loaded;
      expect(api.routes).toEqual(['login/options', 'logout']);
    });

    it('nothing can be answered meanwhile', async () => {
      await authenticator.isTouched(false);
      await button('Use another account').click();
      await said('Waiting for your passkey');
      await button('Cancel').waitFor();
      expect(await page.locator('button:visible:enabled').count()).toBe(1);
    });

    it.each(['Use another account', 'Sign out and create an account'])(
      '%s: a refusal is said, and can be repeated',
      async (name) => {
        await authenticator.verifiesUser(false);
        await button('Use another account').click();
        await said('You’re still signed in');
        api.answers('login/options', { status: 503 });
        api.answers('logout', 'unreachable');
        await button(name).click();
        await said(
          name.startsWith('Use') ? 'temporarily unavailable' : 'Couldn’t reach the service',
        );
        expect(await page.locator('button:visible:disabled').count()).toBe(0);
      },
    );
  });

  it.each([
    ['/consent', 'If the app doesn’t open by itself, go back to it.'],
    ['/opens-app', 'You can close this page.'],
  ])('%s: busy at once, answered once, and says how it goes on', async (path, words) => {
    const answers: string[] = [];
    await page.clock.install();
    await page.goto(server.origin + path);
    await page.route('**/svc/oauth/authorize', (route) => {
      answers.push(route.request().postData() ?? '');
      return route.fulfill({ status: 204 });
    });
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await button('Allow').dblclick();
    await said('Sending your answer');
    await page.clock.runFor(1);
    expect(await page.locator('button:visible:enabled').count()).toBe(0);
    await page.clock.runFor(2000);
    await said(words);
    expect(answers).toEqual(['handle=h&decision=approve']);
  });

  it.each([
    ['goes on', '127.0.0.1', '/consent?code=1'],
    ['is stopped, and that is said', 'other.localhost', '/consent'],
  ])('an answer that %s', async (_case, host, path) => {
    const { origin, addressOrigin } = server;
    const location = `${addressOrigin.replace('127.0.0.1', host)}/consent?code=1`;
    await page.goto(`${origin}/consent`);
    await page.route('**/svc/oauth/authorize', (route) =>
      route.fulfill({ status: 302, headers: { location } }),
    );
    await button('Allow').click({ noWaitAfter: true });
    if (path === '/consent') await said('Your browser blocked the redirect');
    await page.waitForURL(`**${path}`);
    const blocked = path === '/consent' ? [expect.stringContaining('"form-action ')] : [];
    expect(chromium.takeComplaints()).toEqual(blocked);
  });
});
