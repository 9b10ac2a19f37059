import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { Browser as Person } from '../support/browser.js';
import { personIn, useChromium } from '../support/chromium.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const CODE = /^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/;
const HOSTILE = '<img src=x onerror=alert(1)>';
const ALL_SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const HOUR_MS = 3_600_000;

describe('codes, apps and activity on the account page in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { answer, button, focused, rows, said } = chromium;
  let page: Page;

  beforeEach(async () => {
    ({ page } = await chromium.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
    await chromium.signUp(gatehouse.origin);
  });

  const shownCodes = () => page.locator('#codes li').allInnerTexts();
  const leftWords = (words: string | RegExp) =>
    page.locator('#codes-left').filter({ hasText: words }).waitFor();
  const createCodes = async () => {
    await button('Create recovery codes').click();
    await page.locator('#codes li').nth(9).waitFor();
    return shownCodes();
  };
  const connect = async (name: string, scopes: string[], redirect = 'http://127.0.0.1/cb') => {
    const metadata = { client_name: name, redirect_uris: [redirect] };
    const app = await OAuthClient.register(gatehouse, metadata);
    await app.connect(await personIn(page, gatehouse), scopes);
  };

  describe('recovery codes', () => {
    it('are shown once, with what to do with them, and are good', async () => {
      await leftWords('You don’t have any recovery codes.');
      const codes = await createCodes();
      expect(codes).toHaveLength(10);
      for (const code of codes) expect(code).toMatch(CODE);
      expect(await focused()).toBe('new-codes-heading');
      await leftWords('10 of 10 codes left, created just now.');
      expect(await problemsInEveryLook(page)).toEqual([]);
      await button('I’ve saved my codes').click();
      expect([await shownCodes(), await focused()]).toEqual([[], 'recovery-codes-heading']);
      await page.reload();
      await leftWords('10 of 10 codes left');
      expect(await page.locator('#new-codes').isVisible()).toBe(false);
      const { status } = await new Person(gatehouse).post('/svc/recovery', {
        code: codes[0] ?? '',
      });
      expect(status).toBe(200);
    });

    it('are copied, downloaded and printed, all ten and nothing else', async () => {
      const codes = await createCodes();
      await button('Copy').click();
      await said('Copied.');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button('Download').click(),
      ]);
      expect(download.suggestedFilename()).toBe('recovery-codes-localhost.txt');
      const file = await readFile(await download.path(), 'utf8');
      expect(file).toMatch(
        /^Recovery codes for Ann at http:\/\/localhost:\d+\/svc\/account, created/,
      );
      expect(file.split('\n').filter((line) => CODE.test(line))).toEqual(codes);
      await page.evaluate('globalThis.print = () => (globalThis.printed = true)');
      await button('Print').click();
      expect(await page.evaluate('globalThis.printed')).toBe(true);
      await page.emulateMedia({ media: 'print' });
      const printed = await page.locator('body').innerText();
      for (const code of codes) expect(printed).toContain(code);
      expect(printed).not.toMatch(/Delete account|Sign out|Copy/);
    });

    it('newer ones end the older ones, which is asked before, and need a fresh sign-in', async () => {
      const [older = ''] = await createCodes();
      await button('I’ve saved my codes').click();
      advanceClock(HOUR_MS);
      await page.reload();
      await button('Create new codes').click();
      await page.getByText('Your existing codes will stop working.').waitFor();
      await answer('Cancel');
      expect(await shownCodes()).toEqual([]);
      await button('Create new codes').click();
      await answer('Create new codes');
      await answer('Use a passkey');
      await page.locator('#codes li').nth(9).waitFor();
      await eventually(async () => expect(await focused()).toBe('new-codes-heading'));
      const recover = async (code = '') =>
        (await new Person(gatehouse).post('/svc/recovery', { code })).status;
      expect(await recover(older)).toBe(400);
      expect(await recover((await shownCodes())[0])).toBe(200);
    });

    it('a failure is shown in place, and the next try succeeds', async () => {
      await page.route('**/svc/me/recovery-codes', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 503, headers: { 'retry-after': '5' }, body: '{}' })
          : route.continue(),
      );
      await button('Create recovery codes').click();
      await page.locator('#codes-fault').filter({ hasText: 'Try again in 5 seconds' }).waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await page.unroute('**/svc/me/recovery-codes');
      expect(await createCodes()).toHaveLength(10);
    });
  });

  it('apps: their scopes, two apps of one name, and the end of one', async () => {
    await connect('Notes', ALL_SCOPES);
    await connect('Notes', ['account:read'], 'https://notes.example/cb');
    await connect(HOSTILE, ['account:read']);
    await page.reload();
    const apps = rows('Connected apps').filter({ has: page.getByRole('button') });
    await apps.nth(2).waitFor();
    const [hostile = '', narrow = '', wide = ''] = await apps.allInnerTexts();
    expect(hostile).toContain(HOSTILE);
    expect(hostile).toMatch(/Connected just now, last used just now/);
    expect(narrow).toMatch(
      /redirects to .notes\.example.+It can\s+see your name and daily credits\s+Manage\s+Disconnect$/s,
    );
    expect(wide).toMatch(
      /127\.0\.0\.1.+see the titles and addresses of your open pages.+run code for you/s,
    );
    for (const one of [narrow, wide]) expect(one).toMatch(/Connected on \w+ \d+, \d{4} at \d+:/);
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    expect(await problemsInEveryLook(page)).toEqual([]);

    await apps
      .nth(1)
      .getByRole('button', { name: /^Disconnect .Notes., connected on/ })
      .click();
    await answer('Cancel');
    expect(await apps.count()).toBe(3);
    await apps.nth(1).getByRole('button').click();
    await answer('Disconnect');
    await said('App disconnected.');
    expect(await focused()).toBe('apps-heading');
    await eventually(async () => expect(await apps.count()).toBe(2));
    expect((await apps.allInnerTexts()).join()).not.toContain('notes.example');
  });

  it('activity: in words, newest first, and what to do if it was another person', async () => {
    await connect(HOSTILE, ['account:read']);
    await createCodes();
    await button('I’ve saved my codes').click();
    const events = page.locator('#event-list > li');
    await eventually(async () => {
      await page.reload();
      await events.first().waitFor();
      expect(await events.locator('.name').allInnerTexts()).toEqual([
        'Recovery codes created',
        `\u2068${HOSTILE}\u2069 connected`,
        'Account created',
      ]);
    });
    expect(await events.first().innerText()).toMatch(/Just now, Chrome on Linux/);
    await events.first().getByText('Don’t recognize this?').click();
    await events.first().getByText('Create new ones to replace them').waitFor();
    expect(await problemsInEveryLook(page)).toEqual([]);
    await events.first().getByRole('link', { name: 'Go to recovery codes' }).click();
    expect(page.url()).toMatch(/#recovery-codes$/);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    expect(await events.first().locator('details').getAttribute('open')).toBe('');
  });

  it('activity: the first of many, then all of them', async () => {
    const ann = await personIn(page, gatehouse);
    for (const scope of ALL_SCOPES) await connect(`App of ${scope}`, [scope]);
    for (const { id } of (await ann.get('/svc/me/apps')).json<{ apps: { id: string }[] }>().apps) {
      await ann.send('DELETE', `/svc/me/apps/${id}`);
    }
    await eventually(async () => {
      await page.reload();
      await button('Show all 9').waitFor({ timeout: 1000 });
    });
    const events = page.locator('#event-list > li');
    expect(await events.count()).toBe(8);
    await button('Show all 9').click();
    expect(await events.count()).toBe(9);
    expect(await page.evaluate('document.activeElement.innerText')).toContain('Account created');
  });
});
