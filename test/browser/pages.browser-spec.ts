import type { BrowserContextOptions, Page } from 'playwright-core';
import {
  type ConsentContext,
  consentPage,
  openInTabPage,
  refusedPage,
  type PageContext,
  signInPage,
} from '#libs/ui-templates';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { startPageServer } from '../support/page-fixture.js';

const REFUSED = {
  userName: 'Ann',
  handle: 'h'.repeat(43),
  refusal: 'Only people who sign in with Acme connect apps.',
};
const LONG = 'w'.repeat(80);

const app = (origin: string): PageContext => ({
  serviceName: 'Gatehouse',
  app: { name: 'Notes', published: 'notes.example' },
  redirect: { uri: 'https://notes.example/callback' },
  extraFormActions: [],
  origin,
});
const scope = (name: string, description: string, requested: boolean, checked: boolean) => ({
  name,
  description,
  requested,
  checked,
  writes: !name.endsWith(':read'),
});
const choice = (requested: boolean): Pick<ConsentContext, 'userName' | 'handle' | 'scopes'> => ({
  userName: 'Ann',
  handle: 'h'.repeat(43),
  scopes: [
    scope('account:read', 'see your name and daily credits', requested, true),
    scope('tabs:read', 'see the titles and addresses of your open pages', requested, true),
    scope('tabs:write', 'use tools on your open pages and send messages to them', requested, true),
    scope('code:run', 'run code for you, using your daily credits', false, !requested),
  ],
});
const unverified = {
  app: { name: 'Inspector', published: null, registeredAt: new Date('2026-11-22T22:45:00Z') },
  redirect: { uri: 'http://127.0.0.1:4711/callback' },
};
const long = {
  app: { name: LONG, published: `${'w'.repeat(60)}.${'w'.repeat(60)}.example` },
  redirect: { uri: `https://${'w'.repeat(60)}.${'w'.repeat(60)}.example:8443/` },
};

const states = (origin: string) => ({
  '/sign-in': signInPage(app(origin)),
  '/sign-in-unverified-loopback': signInPage({ ...app(origin), ...unverified }),
  '/sign-in-opens-app': signInPage({ ...app(origin), redirect: { uri: 'cursor://x.y/callback' } }),
  '/sign-in-invite': signInPage({ ...app(origin), signUp: 'invite' }),
  '/sign-in-closed': signInPage({ ...app(origin), signUp: 'closed' }),
  '/sign-in-long': signInPage({ ...app(origin), ...long }),
  '/consent': consentPage({ ...app(origin), ...choice(true) }),
  '/consent-nothing-requested': consentPage({ ...app(origin), ...choice(false) }),
  '/consent-unverified-loopback': consentPage({ ...app(origin), ...unverified, ...choice(true) }),
  '/consent-silent-loopback': consentPage({ ...app(origin), ...unverified, ...choice(false) }),
  '/consent-long': consentPage({ ...app(origin), ...long, ...choice(true), userName: LONG }),
  '/open-in-tab': openInTabPage({ ...app(origin), link: '/' }),
  '/refused': refusedPage({ ...app(origin), ...REFUSED }),
  '/refused-long': refusedPage({ ...app(origin), ...long, ...REFUSED }),
  '/open-in-tab-long': openInTabPage({ ...app(origin), ...long, link: '/' }),
});
const PATHS = Object.keys(states('http://localhost'));

const VALUES = (boxes: readonly { readonly value?: string }[]) => boxes.map(({ value }) => value);

describe('the authorization pages in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() => startPageServer(states));

  const view = async (
    url: string,
    options: BrowserContextOptions,
    look: (page: Page, complaints: readonly string[]) => Promise<void>,
  ) => {
    const context = await chromium.launched().newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(url);
    await look(page, complaints);
    await context.close();
  };

  it.each(PATHS)(
    '%s is accessible in every look, keeps to its policy and its width',
    async (path) => {
      await view(server.origin + path, {}, async (page, complaints) => {
        expect(await problemsInEveryLook(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    },
  );

  it('what the script shows is accessible too', async () => {
    await view(`${server.origin}/sign-in`, {}, async (page) => {
      await page.route('**/svc/auth/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('status').filter({ hasText: 'Couldn’t reach the service' }).waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      const error = 'displayName is too long; enter 1 to 40 characters';
      await page.route('**/svc/auth/register/options', (route) =>
        route.fulfill({ status: 400, json: { error } }),
      );
      await page.getByLabel('Your name').fill('Ann');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').filter({ hasText: 'is too long' }).waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await page.goto(`${server.origin}/consent`);
      await page.getByRole('button', { name: 'Use another account' }).click();
      await page.getByRole('button', { name: 'Sign out and create' }).waitFor();
      await page.getByRole('status').filter({ hasText: 'Couldn’t reach the service' }).waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await page.goto(`${server.origin}/sign-in`);
      await page.addInitScript('delete globalThis.PublicKeyCredential');
      await page.reload();
      await page.getByRole('button', { name: 'Copy link' }).waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
    });
  });

  it('a 127.0.0.1 page is accessible and leads to localhost, resource and all', async () => {
    const { addressOrigin, origin } = server;
    const query = (own: string) => `?resource=${encodeURIComponent(`${own}/svc/mcp`)}`;
    const url = `${addressOrigin}/sign-in${query(addressOrigin)}`;
    await view(url, {}, async (page, complaints) => {
      expect(await problemsInEveryLook(page)).toEqual([]);
      expect(complaints).toEqual([]);
      expect(await page.getAttribute('#localhost-link', 'href')).toBe(
        `${origin}/sign-in${query(origin)}`,
      );
    });
  });

  it.each(PATHS.filter((path) => path.startsWith('/consent') && path !== '/consent-long'))(
    '%s: Allow is above the fold at 1280 × 800, and a warning is one line',
    async (path) => {
      await view(server.origin + path, { viewport: { width: 1280, height: 800 } }, async (page) => {
        const allow = page.getByRole('button', { name: 'Allow', exact: true });
        const { y = Infinity, height = 0 } = (await allow.boundingBox()) ?? {};
        expect(y + height).toBeLessThanOrEqual(800);
        for (const line of await page.locator('summary').all()) {
          expect((await line.boundingBox())?.height).toBeLessThan(48);
        }
      });
    },
  );

  it('why loopback is warned of opens by key, without script and within the policy', async () => {
    const path = `${server.origin}/consent-unverified-loopback`;
    await view(path, { javaScriptEnabled: false }, async (page) => {
      const because = page.getByText('any program on this computer could be listening');
      expect(await because.isVisible()).toBe(false);
      await page.locator('summary').press('Enter');
      await because.waitFor();
    });
    await view(path, {}, async (page, complaints) => {
      await page.locator('summary').click();
      expect(await problemsInEveryLook(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it('every target is at least 44 px high', async () => {
    for (const path of ['/sign-in', '/consent', '/consent-unverified-loopback']) {
      await view(server.origin + path, {}, async (page) => {
        const targets = await page
          .locator('button, summary, label.scope, label.ask, input:not([type])')
          .filter({ visible: true })
          .all();
        const boxes = await Promise.all(targets.map((target) => target.boundingBox()));
        expect(boxes.length).toBeGreaterThan(2);
        for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
      });
    }
  });

  it('without script the sign-in page says why, and the consent form still answers', async () => {
    const options = { javaScriptEnabled: false };
    await view(`${server.origin}/sign-in`, options, async (page) => {
      expect(await page.locator('noscript').innerText()).toContain('JavaScript');
      expect(await page.locator('button:visible:enabled').count()).toBe(0);
    });
    await view(`${server.origin}/consent`, options, async (page) => {
      const posted = page.waitForRequest('**/svc/oauth/authorize');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      const fields = new URLSearchParams((await posted).postData() ?? '');
      expect([...fields]).toEqual([
        ['handle', 'h'.repeat(43)],
        ['scope', 'account:read'],
        ['scope', 'tabs:read'],
        ['scope', 'tabs:write'],
        ['decision', 'approve'],
      ]);
    });
  });

  it('presets tick boxes, and a ticked one that changes something offers to ask each time', async () => {
    await view(`${server.origin}/consent`, {}, async (page) => {
      const ticked = () => page.locator('input[name="scope"]:checked').evaluateAll(VALUES);
      const asks = page.getByRole('checkbox', { name: 'Ask me each time' });
      const press = (name: string) =>
        page.getByRole('button', { name, exact: true }).press('Enter');
      const asked = ['account:read', 'tabs:read', 'tabs:write'];
      expect(await asks.count()).toBe(1);
      await press('Read only');
      expect(await ticked()).toEqual(['account:read', 'tabs:read']);
      expect(await asks.count()).toBe(0);
      await press('Everything');
      expect(await ticked()).toEqual([...asked, 'code:run']);
      expect(await problemsInEveryLook(page)).toEqual([]);
      await press('What it asked for');
      expect(await ticked()).toEqual(asked);
      await asks.check();
      const posted = page.waitForRequest('**/svc/oauth/authorize');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      const fields = new URLSearchParams((await posted).postData() ?? '');
      expect([fields.getAll('scope'), fields.getAll('ask')]).toEqual([asked, ['tabs:write']]);
    });
  });

  it('the Enter key in the consent form does not allow anything', async () => {
    await view(`${server.origin}/consent`, {}, async (page) => {
      const posted = page.waitForRequest('**/svc/oauth/authorize');
      await page.getByRole('checkbox').first().press('Enter');
      expect((await posted).postData()).toContain('decision=deny');
    });
  });
});
