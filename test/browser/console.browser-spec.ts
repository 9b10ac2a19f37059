import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { Browser } from '../support/browser.js';
import { startChromium } from '../support/chromium.js';
import { recordComplaints } from '../support/complaints.js';
import {
  ConsoleVisitor,
  type Operator,
  OPERATORS,
  startWithConsole,
  tokensFile,
} from '../support/console-visitor.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const PAGES = ['', '/accounts', '/apps', '/invites', '/trail', '/deliveries', '/settings'];
const ACTIONS = ['createClient', 'createMachineClient', 'blockRedirectHost', 'createInvite'];

describe('the console in Chromium', () => {
  const file = tokensFile();
  let gatehouse: Gatehouse;
  let chromium: Chromium;
  let page: Page;
  let complaints: readonly string[];
  let origin: string;
  let id: string;

  beforeAll(async () => {
    [gatehouse, chromium] = await Promise.all([startWithConsole(file.path), startChromium()]);
    ({ origin } = new ConsoleVisitor(gatehouse));
    const ann = new Browser(gatehouse);
    ({ id } = (await ann.signUp('Ann')).json<{ user: { id: string } }>().user);
    const client = await OAuthClient.register(gatehouse, { client_name: 'Notes' });
    await client.connect(ann);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });
  afterAll(async () => {
    await chromium.close();
    await gatehouse.stop();
    file.remove();
  });

  /** Opens a page signed in: the page to sign in leads to it. */
  const open = async (path: string, name: Operator, options: BrowserContextOptions = {}) => {
    page = await (await chromium.newContext(options)).newPage();
    complaints = recordComplaints(page);
    await page.goto(`${origin}/console${path}`);
    await page.getByLabel('Name of the token').fill(name);
    await page.getByLabel('Token', { exact: true }).fill(OPERATORS[name].token);
    await page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().press('Enter');

  it('the page to sign in is accessible in every look', async () => {
    page = await (await chromium.newContext()).newPage();
    complaints = recordComplaints(page);
    await page.goto(`${origin}/console`);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it.each(['rita', 'sam', 'ada'] as const)(
    'for %s every page is accessible in every look and keeps to its width',
    async (name) => {
      await open('', name);
      const pages = [...PAGES, `/accounts/${id}`];
      await page.goto(`${origin}/console/accounts/${id}`);
      const links = page.locator('a[href^="/console/connections/"], a.button');
      for (const link of await links.evaluateAll((all) =>
        all.map((one) => one.getAttribute('href')),
      )) {
        pages.push((link ?? '').replace('/console', ''));
      }
      await page.goto(`${origin}/console/apps`);
      const app = await page.locator('td a').first().getAttribute('href');
      pages.push((app ?? '').replace('/console', ''));
      if (name === 'ada') pages.push(...ACTIONS.map((action) => `/do/${action}`));
      for (const path of pages) {
        await page.goto(`${origin}/console${path}`);
        for (const more of await page.locator('summary').all()) await more.click();
        expect([path, await problemsInEveryLook(page)]).toEqual([path, []]);
      }
    },
    180_000,
  );

  it('without script, by keyboard: finds an account, disables it, enables it and signs out', async () => {
    await open('/accounts', 'sam', { javaScriptEnabled: false });
    await page.getByLabel('Search').fill('ann');
    await press('Show');
    expect(page.url()).toBe(`${origin}/console/accounts?search=ann`);
    await follow('Ann');
    await follow('Disable');
    expect(await page.locator('main').innerText()).toContain(`Disable Ann (${id})?`);
    await press('Disable account');
    expect(await page.locator('main').innerText()).toContain('Disabled: Ann.');
    await follow('Continue');
    await follow('Enable');
    await press('Enable account');
    await press('Sign out');
    await page.getByLabel('Name of the token').waitFor();
    await page.goto(`${origin}/console/accounts`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      'Sign in to the console',
    );
  });

  it('times are those of the reader, in UTC without script', async () => {
    const zone = { timezoneId: 'Asia/Tokyo' };
    await open(`/accounts/${id}`, 'rita', zone);
    const moment = await page.locator('dd time').first().getAttribute('datetime');
    const told = await page.locator('dd time').first().innerText();
    const inTokyo = new Intl.DateTimeFormat('en', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Tokyo',
    }).format(new Date(moment ?? ''));
    expect(told).toBe(inTokyo);
    await page.context().close();
    await open(`/accounts/${id}`, 'rita', { ...zone, javaScriptEnabled: false });
    expect(await page.locator('dd time').first().innerText()).toMatch(/ UTC$/);
  });

  it('a link of another site leads to the page of those who are signed in', async () => {
    await open('', 'rita');
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><a href="${origin}/console/trail">trail</a>`,
      }),
    );
    await page.goto('https://elsewhere.example/');
    await page.getByRole('link', { name: 'trail' }).click();
    await page.getByRole('heading', { name: 'Trail', level: 1 }).waitFor();
  });

  it('a form of another site changes nothing', async () => {
    await open('', 'ada');
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><form method="POST" action="${origin}/console/do/disableUser">
          <input name="id" value="${id}"><button>Win</button></form>`,
      }),
    );
    await page.goto('https://elsewhere.example/');
    await page.getByRole('button', { name: 'Win' }).click();
    await page.getByRole('heading', { name: 'This is refused' }).waitFor();
    (complaints as string[]).length = 0;
    await page.goto(`${origin}/console/accounts/${id}`);
    await page.getByRole('link', { name: 'Disable account', exact: true }).waitFor();
  });
});
