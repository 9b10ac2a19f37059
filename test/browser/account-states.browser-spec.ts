import { readFile } from 'node:fs/promises';
import { builtInAccountTexts } from '#libs/ui-templates';
import { problemsInEveryLook } from '../support/accessibility.js';
import {
  connections,
  events,
  HOSTILE,
  LONG,
  many,
  me,
  passkey,
  openStage,
  requests,
  session,
  startAccountPages,
} from '../support/account-fixture.js';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';

describe('the account page, whatever the service says', () => {
  const chromium = useChromium();
  const server = useStarted(() => startAccountPages(LONG));
  const { alert, answer } = chromium;
  let { page, answers, signals } = {} as Awaited<ReturnType<typeof openStage>>;

  beforeEach(async () => {
    ({ page, answers, signals } = await openStage(chromium));
  });

  const open = async (shown = '#passkey-list li', language = '') => {
    await page.goto(`${server.origin}${language}/svc/account`);
    await page.locator(shown).first().waitFor();
  };
  const removeSecond = async () => {
    await page.getByRole('button', { name: 'Remove' }).nth(1).click();
    await answer('Remove passkey');
  };

  it.each(['', '/de', '/he'])(
    'many passkeys, long, foreign and hostile names: accessible in every look, text as it is | %s',
    async (language) => {
      answers['GET me/connections'] = { json: { connections } };
      answers['GET me/requests'] = { json: { requests } };
      answers['GET me/activity'] = { json: { events } };
      await open('#event-list li', language);
      expect(await page.getByText(HOSTILE, { exact: true }).count()).toBe(2);
      expect(await page.locator('#request-list').innerText()).toContain(HOSTILE);
      expect(await page.locator('main img').count()).toBe(0);
      expect(await problemsInEveryLook(page)).toEqual([]);
    },
  );

  it('names the resource of an app, unless it is /svc/mcp', async () => {
    const [one, other] = connections;
    const elsewhere = { ...other, permissions: { 'notes:read': 'allow' } };
    answers['GET me/connections'] = { json: { connections: [one, elsewhere] } };
    await open('#app-list li', '/resources');
    const rows = page.locator('#app-list > li');
    await rows.nth(1).getByText('For Notes & more').waitFor();
    expect(await rows.nth(1).getByText('read your notes').isVisible()).toBe(true);
    expect(await rows.nth(0).getByText('For ').isVisible()).toBe(false);
    expect(await rows.nth(0).getByText('see your name').isVisible()).toBe(true);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('tells of each app what it may do, whether it is paused, and where to change that', async () => {
    answers['GET me/connections'] = { json: { connections } };
    await open('#app-list li', '/resources');
    const rows = page.locator('#app-list > li');
    const [first = '', second = ''] = await rows.allInnerTexts();
    expect(first).toMatch(/Paused.+last used \d+ minutes ago/s);
    expect(first).toMatch(/It can\s+see your name\s+use your pages \(asks you first\)\s+Manage/);
    expect(second).not.toContain('Paused');
    expect(second).toMatch(/last used \d+ minutes ago/);
    const manage = rows.nth(1).getByRole('link', { name: /^Manage .פתקים., connected/ });
    expect(await manage.getAttribute('href')).toBe('/svc/account/apps/2');
  });

  it('shows requests first of all, each with its page, and nothing where there are none', async () => {
    await open();
    const card = page.getByRole('region', { name: 'Waiting for your answer' });
    expect(await card.count()).toBe(0);
    answers['GET me/requests'] = { json: { requests } };
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await card.waitFor();
    const profile = await page.locator('#profile').boundingBox();
    expect((await card.boundingBox())?.y).toBeLessThan(profile?.y ?? 0);
    const review = card.getByRole('link', { name: /^Review .W+.: .place_order./ });
    expect(await review.getAttribute('href')).toBe('/svc/account/requests/2');
    expect(await card.getByText(/^Expires in \d minutes$/).count()).toBe(2);
  });

  it('downloads what is kept about the account, after a fresh sign-in', async () => {
    answers['GET me/export'] = { status: 403, json: { error: 'x', reason: 'sign_in_again' } };
    await open();
    const button = page.getByRole('button', { name: 'Download my data' });
    await button.click();
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
    await answer('Cancel');
    await alert('You didn’t confirm it’s you, so nothing was changed.');
    answers['GET me/export'] = { json: { profile: { displayName: 'Ann' } } };
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('account-localhost.json');
    const kept = JSON.parse(await readFile(await download.path(), 'utf8')) as object;
    expect(kept).toEqual({ profile: { displayName: 'Ann' } });
    await page.getByRole('status').filter({ hasText: 'has been downloaded' }).waitFor();
  });

  it.each(['/de', '/he'])(
    'new codes and questions: accessible in every look | %s',
    async (language) => {
      answers['POST me/recovery-codes'] = { json: { codes: Array.from(LONG, codeOf) } };
      await open(undefined, language);
      await page.locator('#create-codes').click();
      await page.locator('#codes li').first().waitFor();
      await page.locator('#rename').click();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await problemsInEveryLook(page)).toEqual([]);
    },
  );

  it('one passkey, its dialogs and what a fresh sign-in asks: accessible in every look', async () => {
    answers['GET me/passkeys'] = { json: { passkeys: [passkey('a', { synced: false })] } };
    await open();
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rename' }).click();
    expect(await problemsInEveryLook(page)).toEqual([]);
    answers['PATCH me/passkeys/' + 'a'.repeat(22)] = {
      status: 400,
      json: { error: 'name is too long; enter 1 to 40 characters' },
    };
    await answer('Save');
    await alert('The name is too long; enter 1 to 40 characters.');
    expect(await problemsInEveryLook(page)).toEqual([]);
    await page.keyboard.press('Escape');
    answers['DELETE me'] = { status: 403, json: { error: 'x', reason: 'sign_in_again' } };
    await page.getByRole('button', { name: 'Delete account…' }).click();
    await page.getByRole('textbox').fill('delete');
    await answer('Delete account permanently');
    await page.getByText('Confirm it’s you').waitFor();
    expect(await problemsInEveryLook(page)).toEqual([]);
  });

  it('what cannot be loaded says so in its place, and is loaded when asked again', async () => {
    answers['GET me/passkeys'] = 'unreachable';
    answers['GET me/sessions'] = {
      status: 500,
      headers: { 'x-request-id': '7-7' },
      json: { error: 'internal error' },
    };
    await open('#budget-left');
    await alert('Couldn’t reach the service');
    await alert('request 7-7');
    expect(await problemsInEveryLook(page)).toEqual([]);
    answers['GET me/passkeys'] = { json: { passkeys: many } };
    await page.locator('#passkeys').getByRole('button', { name: 'Try again' }).click();
    await page.locator('#passkey-list li').first().waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('passkeys-heading');
  });

  it('every target is at least 44 px high, and nothing moves once it is shown', async () => {
    await open();
    const targets = await page.locator('button, a.button, input').filter({ visible: true }).all();
    expect(targets.length).toBeGreaterThan(8);
    for (const target of targets) {
      expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    const top = async () => (await page.locator('#deletion').boundingBox())?.y;
    const before = await top();
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(async () => expect((await signals()).length).toBeGreaterThan(2));
    expect(await top()).toBe(before);
  });

  it.each([
    [409, 'last passkey', 'This is now your last passkey'],
    [429, 'slow down', 'Too many attempts. Try again in 2 minutes.'],
    [503, 'storage', 'temporarily unavailable'],
  ])('a removal refused with %d says what to do', async (status, error, words) => {
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = {
      status,
      headers: status === 429 ? { 'retry-after': '90' } : {},
      json: { error },
    };
    await open();
    await removeSecond();
    await alert(words);
    await answer('Cancel');
  });

  it('where adding a passkey needs a fresh sign-in too, it leads through one', async () => {
    answers['POST auth/register/options'] = {
      status: 403,
      json: { error: 'x', reason: 'sign_in_again' },
    };
    await open();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
    await answer('Cancel');
    await alert('You didn’t confirm it’s you, so nothing was changed.');
    expect(await page.evaluate('document.activeElement.id')).toBe('add-passkey');
  });

  it('a question stays while what it asked is under way, however often Escape is pressed', async () => {
    await open();
    let finish: (() => Promise<void>) | undefined;
    await page.route(`**/svc/me/passkeys/${'b'.repeat(22)}`, (route) => {
      finish = () => route.fulfill({ status: 204 });
    });
    await removeSecond();
    await eventually(() => expect(finish).toBeDefined());
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByText('One moment…').waitFor();
    await finish?.();
    await page.getByRole('status').filter({ hasText: 'Passkey removed.' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('a passkey that is gone already counts as removed', async () => {
    answers[`DELETE me/passkeys/${'b'.repeat(22)}`] = { status: 404, json: { error: 'gone' } };
    await open();
    await removeSecond();
    await page.getByRole('status').filter({ hasText: 'Passkey removed.' }).waitFor();
  });

  it.each(['', '/de', '/he'])(
    'a session that is over offers the sign-in page: accessible in every look | %s',
    async (language) => {
      await open(undefined, language);
      answers['GET auth/me'] = me(null);
      await page.locator('#delete-account').click();
      await page.locator('#question-input').fill(wordOf(language));
      await page.locator('#question-act').click();
      await page.locator('#session-over-act').waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      const anew = page.waitForEvent('load');
      await page.locator('#session-over-act').click();
      await anew;
    },
  );

  it('hosts break after their dots, and can be copied as they are', async () => {
    const host = `${'w'.repeat(18)}.${'m'.repeat(18)}.example`;
    const published = { ...connections[0], published: host };
    answers['GET me/connections'] = { json: { connections: [published] } };
    await open('#app-list li');
    await page.setViewportSize({ width: 380, height: 800 });
    const shown = page.locator('#app-list [data-slot="origin"]');
    expect(await shown.textContent()).toBe(`Published by \u2068${host}\u2069`);
    expect(await shown.evaluate(LINES)).toEqual([
      'Published by ',
      `\u2068${'w'.repeat(18)}.`,
      `${'m'.repeat(18)}.`,
      'example\u2069',
    ]);
  });

  it('each browser has the icon of the device that it runs on', async () => {
    const browsers = ['Safari on iPhone', 'Chrome on Android', 'Safari on iPad', 'Edge on Windows'];
    const sessions = [...browsers, null].map((browser, n) => session(`${n}`, { browser }));
    answers['GET me/sessions'] = { json: { sessions } };
    await open('#session-list li');
    const icons = page.locator('#session-list svg').filter({ visible: true });
    expect(await icons.evaluateAll(CLASSES)).toEqual([
      'icon phone',
      'icon phone',
      'icon tablet',
      'icon computer',
      'icon computer',
    ]);
  });

  it.each([
    '/signed-out',
    '/de/signed-out',
    '/he/signed-out',
    '/de/svc/account/recover',
    '/he/svc/account/recover',
  ])('signed out: accessible in every look | %s', async (path) => {
    await page.goto(`${server.origin}${path}`);
    expect(await problemsInEveryLook(page)).toEqual([]);
  });
});

const wordOf = (language: string) =>
  builtInAccountTexts.choose([language.slice(1) || 'en']).texts.deletion.script.word;

/** The text of an element, line by line as it is laid out. */
const LINES = (element: { readonly childNodes: Iterable<TextNode> }) => {
  const lines: string[] = [];
  let top = -1;
  for (const node of element.childNodes) {
    for (let at = 0; at < (node.data?.length ?? 0); at += 1) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (box.height > 0 && box.top > top + 1) lines.push('');
      if (box.height > 0) top = box.top;
      lines.push(`${lines.pop() ?? ''}${node.data?.[at]}`);
    }
  }
  return lines;
};
const CLASSES = (icons: readonly { getAttribute(name: string): string | null }[]) =>
  icons.map((icon) => icon.getAttribute('class'));

interface TextNode {
  readonly data?: string;
}
interface TextRange {
  setStart(node: TextNode, at: number): void;
  setEnd(node: TextNode, at: number): void;
  getBoundingClientRect(): { readonly top: number; readonly height: number };
}
declare const document: { createRange(): TextRange };

const codeOf = (_: string, index: number) => `7Q2M-X0VK-9DTA-3HRB-C41E-WZ${index + 10}`;
