import type { Page } from 'playwright-core';
import {
  type Brand,
  builtInPageLanguages,
  type ConsentContext,
  consentPage,
  openInTabPage,
  signInPage,
} from '#libs/ui-templates';
import { problemsInEveryLook } from '../support/accessibility.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { startPageServer } from '../support/page-fixture.js';

const scope = (name: string, description: string) => ({
  name,
  description,
  requested: name !== 'code:run',
  checked: true,
});
const context = (origin: string, tag: string): ConsentContext => ({
  serviceName: 'Gatehouse',
  origin,
  app: { name: 'Notes!', published: null, registeredAt: new Date('2026-11-22T22:45:00Z') },
  redirect: { uri: 'http://127.0.0.1:4711/callback' },
  extraFormActions: [],
  language: builtInPageLanguages.choose([tag]),
  userName: 'Ann',
  handle: 'h'.repeat(43),
  accessDays: 90,
  accountPage: '/svc/account#apps',
  scopes: [
    scope('account:read', tag === 'he' ? 'לראות את השם שלך' : 'Ihren Namen sehen'),
    scope('code:run', 'run code'),
  ],
});
/** The lightest accent that is allowed. */
const brand: Brand = {
  accent: '#767676',
  logo: '<svg viewBox="0 0 90 20" fill="currentColor"><circle cx="10" cy="10" r="9" /><rect x="24" y="4" width="60" height="12" /></svg>',
  links: [
    { label: 'Imprint', texts: { de: 'Impressum', he: 'פרטי המפעיל' }, href: '/imprint' },
    { label: 'Data protection', texts: { de: 'Datenschutz', he: 'פרטיות' }, href: '/privacy' },
    { label: 'Terms of use', texts: { de: 'Nutzungsbedingungen' }, href: 'https://acme.example/' },
  ],
};
const pagesIn = (origin: string, tag: string) => ({
  [`/${tag}/sign-in`]: signInPage({ ...context(origin, tag), signUp: 'invite' }),
  [`/${tag}/consent`]: consentPage(context(origin, tag)),
  [`/${tag}/branded`]: consentPage({ ...context(origin, tag), brand }),
  [`/${tag}/open-in-tab`]: openInTabPage({ ...context(origin, tag), link: '/' }),
});

describe('the authorization pages in other languages, in Chromium', () => {
  const chromium = useChromium();
  const server = useStarted(() =>
    startPageServer((origin) => ({ ...pagesIn(origin, 'de'), ...pagesIn(origin, 'he') })),
  );
  let page: Page;

  beforeEach(async () => {
    page = await chromium.openPage();
  });

  it.each([
    '/de/sign-in',
    '/de/consent',
    '/de/open-in-tab',
    '/de/branded',
    '/he/sign-in',
    '/he/consent',
    '/he/open-in-tab',
    '/he/branded',
  ])('%s is accessible in every look, keeps to its policy and its width', async (path) => {
    await page.goto(server.origin + path);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('the script says what happened in the language of the page', async () => {
    await page.route('**/svc/auth/**', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '30' }, json: { error: 'no' } }),
    );
    await page.goto(`${server.origin}/de/sign-in`);
    await page.getByRole('button', { name: 'Mit einem Passkey anmelden' }).click();
    const status = page.getByRole('status');
    await status.filter({ hasText: 'Versuchen Sie es in 30 Sekunden noch einmal.' }).waitFor();
    await page.route('**/svc/auth/**', (route) =>
      route.fulfill({
        status: 400,
        json: { error: 'displayName is empty; enter 1 to 40 characters' },
      }),
    );
    await page.goto(`${server.origin}/he/sign-in`);
    await page.getByLabel('השם שלך').fill('Ann');
    await page.getByLabel('קוד הזמנה').fill('x');
    await page.getByRole('button', { name: 'יצירת חשבון' }).click();
    await page.getByRole('alert').filter({ hasText: 'ריק; יש להזין עד 40 תווים' }).waitFor();
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('has logo and links of a brand, the logo called by the name', async () => {
    await page.goto(`${server.origin}/he/branded`);
    await page.getByRole('banner').getByRole('img', { name: 'Gatehouse' }).waitFor();
    const links = page.getByRole('contentinfo').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['פרטי המפעיל', 'פרטיות', 'Terms of use']);
    const [first, last] = [await links.first().boundingBox(), await links.last().boundingBox()];
    expect(first?.x).toBeGreaterThan(last?.x ?? Infinity);
  });

  it('right to left, what others chose stays as they wrote it, and labels stand at the right', async () => {
    await page.goto(`${server.origin}/he/consent`);
    const heading = page.getByRole('heading', { level: 1 });
    expect(await heading.innerText()).toMatch(/^Notes! /);
    const name = await heading.locator('bdi').boundingBox();
    const whole = await heading.boundingBox();
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeCloseTo(
      (whole?.x ?? 0) + (whole?.width ?? 0),
      0,
    );
    const box = await page.getByRole('checkbox').first().boundingBox();
    const words = await page.locator('.description').first().boundingBox();
    expect(box?.x).toBeGreaterThan(words?.x ?? Infinity);
  });
});
