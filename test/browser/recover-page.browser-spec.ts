import type { Page } from 'playwright-core';
import { recoveryLinkOf } from '../account/own-account.js';
import { Admin } from '../support/admin.js';
import { problemsInEveryLook } from '../support/accessibility.js';
import { Browser as Person } from '../support/browser.js';
import { useChromium } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';

const PAGE = '/svc/account/recover';
const NOT_A_CODE = 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF';

describe('the page for recoveries in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { alert, focused, said } = chromium;
  let page: Page;
  let userId: string;
  let codes: string[];

  beforeEach(async () => {
    const ann = new Person(gatehouse);
    userId = (await ann.signUp()).json<{ user: { id: string } }>().user.id;
    ({ codes } = (await ann.post('/svc/me/recovery-codes')).json<{ codes: string[] }>());
    page = await chromium.openPage();
  });

  const open = (path = PAGE) => page.goto(gatehouse.origin + path);
  const field = () => page.getByLabel('Recovery code');
  const recover = () => page.getByRole('button', { name: 'Recover account' }).click();
  const isIn = () => page.getByRole('heading', { name: 'Add a passkey now' }).waitFor();
  const linkOf = () => recoveryLinkOf(gatehouse, userId);
  const administer = (change: string, ...options: string[]) =>
    new Admin(gatehouse).text('users', change, userId, ...options);
  const answerOnce = (status: number, headers: Record<string, string>) =>
    page.route(
      '**/svc/recovery',
      (route) => route.fulfill({ status, headers, json: { error: 'not now' } }),
      { times: 1 },
    );

  it('by keyboard: a code in small letters with spaces lets one in, to add a passkey', async () => {
    await open();
    for (const _ of ['the brand', 'the code']) await page.keyboard.press('Tab');
    expect(await focused()).toBe('code');
    await page.keyboard.insertText(` ${codes[0]?.toLowerCase().replaceAll('-', ' ')}\n`);
    await page.keyboard.press('Enter');
    await isIn();
    await eventually(async () => expect(await focused()).toBe('recovered-add'));
    expect(page.url()).toBe(`${gatehouse.origin}/svc/account`);
    await page.goBack();
    expect(page.url()).not.toContain('recover');
  });

  it('a link: its code leaves the address at once, and is used only after the user confirms', async () => {
    const link = await linkOf();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.goto(link);
    await said('The code from your link is filled in');
    expect(page.url()).toBe(`${gatehouse.origin}${PAGE}`);
    expect(await page.evaluate('history.length')).toBe(2);
    expect(await focused()).toBe('act');
    expect(asked.join()).not.toContain('/svc/recovery');
    expect(asked.join()).not.toContain(new URL(link).hash.slice(1));
    await page.keyboard.press('Enter');
    await isIn();
  });

  it('a link that is opened where the page is open already, or pasted whole', async () => {
    await open();
    const link = await linkOf();
    await page.evaluate(`location.hash = '${new URL(link).hash}'`);
    await said('The code from your link is filled in');
    expect(page.url()).toBe(`${gatehouse.origin}${PAGE}`);
    await field().fill(link);
    await recover();
    await isIn();
  });

  it('an incomplete code is explained at the field, and nothing is sent', async () => {
    await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await recover();
    await alert('Enter a recovery code.');
    await field().fill(codes[0]?.slice(1) ?? '');
    await recover();
    await alert('it has 23 letters and digits');
    expect([await focused(), await field().getAttribute('aria-invalid')]).toEqual(['code', 'true']);
    expect(asked).toEqual([]);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('a wrong and a used code are explained at the field, and the next one works', async () => {
    await new Person(gatehouse).post('/svc/recovery', { code: codes[0] ?? '' });
    await open();
    for (const code of [NOT_A_CODE, codes[0] ?? '']) {
      await field().fill(code);
      await recover();
      await alert('This code doesn’t work');
      expect(await focused()).toBe('code');
    }
    await field().fill(codes[1] ?? '');
    await recover();
    await isIn();
  });

  it('a disabled account: the code is still good', async () => {
    await administer('disable', '--yes');
    await open();
    await field().fill(codes[0] ?? '');
    await recover();
    await said('This account is disabled. The code hasn’t been used up.');
    expect(await field().getAttribute('aria-invalid')).toBe('false');
    await administer('enable');
    await recover();
    await isIn();
  });

  it('too many tries, an outage and no connection: what to do, and when', async () => {
    await open();
    await field().fill(codes[0] ?? '');
    await answerOnce(429, { 'retry-after': '120' });
    await recover();
    await said('Too many attempts. Try again in 2 minutes.');
    await answerOnce(503, { 'retry-after': '5' });
    await recover();
    await said('The service is temporarily unavailable. Try again in 5 seconds.');
    await page.route('**/svc/recovery', (route) => route.abort(), { times: 1 });
    await recover();
    await said('that the code was already used, try the next one');
    expect(await problemsInEveryLook(page)).toEqual([]);
    await recover();
    await isIn();
  });

  it('pressed twice it is sent once', async () => {
    let asked = 0;
    await page.route('**/svc/recovery', async (route) => {
      asked += 1;
      await route.continue();
    });
    await open();
    await field().fill(codes[0] ?? '');
    await page.evaluate(
      `document.querySelector('#act').click(); document.querySelector('#act').click()`,
    );
    await isIn();
    expect(asked).toBe(1);
  });

  it('is accessible in every look, from right to left and where a user is signed in', async () => {
    await open();
    expect(await problemsInEveryLook(page)).toEqual([]);
    await field().fill(codes[0] ?? '');
    await recover();
    await isIn();
    await page.goto(await linkOf());
    await said('The code from your link is filled in');
    await page.getByText('You’re signed in as').waitFor();
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });
});
