import type { BrowserContext, Page } from 'playwright-core';
import {
  consentPage,
  type Page as Rendered,
  type PageContext,
  signInPage,
} from '#libs/ui-templates';
import { startBuiltServer } from '../support/built-server.js';
import { type CallbackSite, startCallbackSite } from '../support/callback-site.js';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

describe('connecting an app in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() =>
    startBuiltServer({ PRIVATE_USE_REDIRECT_SCHEMES: 'gatehouse-test' }),
  );
  let context: BrowserContext;
  let page: Page;
  let authenticator: VirtualAuthenticator;
  let complaints: string[];

  beforeEach(async () => {
    context = await chromium.launched().newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      // CSP cannot name an IPv6 address; the scheme next to it allows the redirect.
      const isKnown = message.text().includes("invalid source: 'http://[::1]");
      if (message.type() === 'error' && !isKnown) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    authenticator = await VirtualAuthenticator.plugInto(page);
  });
  afterEach(() => context.close());

  const register = (redirectUri: string) =>
    OAuthClient.register(server, { redirect_uris: [redirectUri], client_name: 'Chromium App' });
  const open = (client: OAuthClient) => page.goto(server.origin + client.authorizePath());
  const createAccount = async (name = 'Ann') => {
    await page.fill('input[name="name"]', name);
    await page.locator('form:has(input[name="name"]) button').click();
    await page.waitForSelector('button[value="approve"]');
  };
  const tokensFrom = async (client: OAuthClient, arrived: URLSearchParams | undefined) => {
    expect(arrived?.get('state')).toBe(client.state);
    expect(arrived?.get('iss')).toBe(server.origin);
    const answer = await client.exchange(arrived?.get('code') ?? '');
    expect(answer.status).toBe(200);
    return answer.json<{ access_token: string }>();
  };

  it.each(['http://127.0.0.1', 'http://[::1]', 'http://localhost', 'https://localhost'])(
    'sign-up, consent and a click on Allow that arrives at %s',
    async (origin) => {
      const site: CallbackSite = await startCallbackSite(origin);
      try {
        const client = await register(site.redirectUri);
        await open(client);
        await createAccount();
        await page.click('button[value="approve"]');
        await page.waitForURL(`${site.redirectUri}**`);
        expect(await page.title()).toBe('Arrived');
        const { access_token: token } = await tokensFrom(client, site.arrived[0]);
        expect((await client.mcp(token)).status).toBe(200);
        expect(complaints).toEqual([]);
      } finally {
        await site.stop();
      }
    },
  );

  it('a second visit of a signed-in user goes straight to the consent form', async () => {
    const site = await startCallbackSite('http://127.0.0.1');
    try {
      const client = await register(site.redirectUri);
      await open(client);
      await createAccount();
      await open(client);
      expect(await page.locator('button[value="approve"]').count()).toBe(1);
      expect(await page.locator('input[name="name"]').count()).toBe(0);
      await page.click('button[value="deny"]');
      await page.waitForURL(`${site.redirectUri}**`);
      expect(site.arrived[0]?.get('error')).toBe('access_denied');
    } finally {
      await site.stop();
    }
  });

  it('another account is used without signing the first one out before', async () => {
    await open(await register('http://127.0.0.1/'));
    await createAccount();
    const me = () =>
      page.evaluate<string | null>(
        `fetch('/svc/auth/me').then((answer) => answer.json()).then(({ user }) => user?.displayName ?? null)`,
      );
    await context.clearCookies();
    await authenticator.isTouched(false);
    const stick = await VirtualAuthenticator.plugInto(page, 'usb');
    await page.reload();
    await createAccount('Ben');
    await stick.isTouched(false);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByText('Waiting for your passkey').waitFor();
    expect(await me()).toBe('Ben');
    await authenticator.isTouched(true);
    await page.reload();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByText('Signed in as Ann').waitFor();
    expect(await me()).toBe('Ann');
    expect(complaints).toEqual([]);
  });

  it('a script of the same origin gets no form, and cannot answer one that it was handed', async () => {
    const client = await register('http://127.0.0.1/');
    await open(client);
    await createAccount();
    const fetched = await page.evaluate<{ status: number; text: string }>(
      'fetch(location.href).then(async (answer) => ({ status: answer.status, text: await answer.text() }))',
    );
    expect(fetched.status).toBe(200);
    expect(fetched.text).toContain('Open this page in a tab');
    expect(fetched.text).not.toMatch(/<form|<script|name="handle"/);
    const status = await page.evaluate<number>(
      `fetch('/svc/oauth/authorize', {
        method: 'POST',
        body: new URLSearchParams([...new FormData(document.querySelector('form')), ['decision', 'approve']]),
      }).then((answer) => answer.status)`,
    );
    expect(status).toBe(403);
  });

  it('the build has the page scripts that the sources make', async () => {
    const shown: PageContext = {
      serviceName: 'Gatehouse',
      app: { name: 'Notes', published: null },
      redirect: { uri: 'http://127.0.0.1/' },
      extraFormActions: [],
      origin: server.origin,
    };
    const scriptsIn = ({ html }: Rendered) =>
      Array.from(html.matchAll(/<script[^>]*>([^]*?)<\/script>/g), ([, script]) => script);
    const servedScripts = () => page.locator('script').allTextContents();
    await open(await register('http://127.0.0.1/'));
    expect(await servedScripts()).toEqual(scriptsIn(signInPage(shown)));
    await createAccount();
    const consented = { userName: 'Ann', handle: 'h', scopes: [] };
    expect(await servedScripts()).toEqual(scriptsIn(consentPage({ ...shown, ...consented })));
    expect(complaints).toEqual([]);
  });

  it('an allowed private-use scheme is handed over by a redirect that no policy blocks', async () => {
    const client = await register('gatehouse-test://callback/cb');
    await open(client);
    await createAccount();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.click('button[value="approve"]', { noWaitAfter: true });
    const answer = await answered;
    expect(answer.status()).toBe(302);
    const location = (await answer.allHeaders())['location'] ?? '';
    expect(location).toMatch(/^gatehouse-test:\/\/callback\/cb\?code=/);
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });
});
