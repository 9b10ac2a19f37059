import type { Page } from 'playwright-core';
import { problemsInEveryLook } from '../support/accessibility.js';
import { personIn, useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

describe('ways around the account page in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { answer, button, dialog, said } = chromium;
  let page: Page;
  let device: VirtualAuthenticator;

  beforeEach(async () => {
    ({ page, device } = await chromium.open({
      permissions: ['clipboard-read', 'clipboard-write'],
    }));
    await chromium.signUp(gatehouse.origin);
  });

  const passkeys = () => chromium.rows('Passkeys');
  const overview = (words: string) =>
    eventually(async () => expect(await page.locator('#overview').textContent()).toBe(words));
  const lookAgain = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const isSignedOut = () => button('Create account with a passkey').waitFor();
  const createCodes = async () => {
    await button('Create recovery codes').click();
    await page.locator('#codes li').nth(9).waitFor();
  };

  describe('on top', () => {
    it('are the way back, the way to each section, and what the account has', async () => {
      const back = page.getByRole('banner').getByRole('link', { name: 'Gatehouse' });
      expect(await back.getAttribute('href')).toBe('/');
      const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      const names = await links.allInnerTexts();
      expect(names).toHaveLength(await page.locator('section.card').count());
      for (const name of names) {
        await links.filter({ hasText: name }).click();
        const { hash } = new URL(page.url());
        expect(await page.locator(`${hash} h2`).innerText()).toBe(name);
      }
      await overview('1 passkey · no recovery codes · no apps');
      await createCodes();
      for (const name of ['Notes', 'Tasks']) {
        const app = await OAuthClient.register(gatehouse, { client_name: name });
        await app.connect(await personIn(page, gatehouse), ['account:read']);
      }
      await lookAgain();
      await overview('1 passkey · 10 recovery codes · 2 apps');
      expect(await problemsInEveryLook(page)).toEqual([]);
    });

    it('is left out of what the account has what cannot be loaded', async () => {
      await page.route('**/svc/me/connections', (route) => route.abort());
      await page.reload();
      await overview('1 passkey · no recovery codes');
    });
  });

  describe('a new passkey', () => {
    const asked: { readonly what: string; readonly body: string }[] = [];

    beforeEach(async () => {
      asked.length = 0;
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        const what = `${request.method()} ${pathname.replace(/passkeys\/.+/, 'passkeys/<id>')}`;
        asked.push({ what, body: request.postData() ?? '' });
      });
      await VirtualAuthenticator.plugInto(page, 'usb');
      await device.isTouched(false);
      await button('Add a passkey').click();
      await dialog().getByRole('heading', { name: 'Name your passkey' }).waitFor();
    });
    const changes = () => asked.filter(({ what }) => !what.startsWith('GET'));

    it('is named while it is added, after the ceremony, with a suggestion', async () => {
      expect(await dialog().getByLabel('Name').inputValue()).toBe('Security key');
      expect(await problemsInEveryLook(page)).toEqual([]);
      await dialog().getByLabel('Name').fill('a\u200bb');
      await answer('Save');
      await page.getByRole('alert').filter({ hasText: 'has an invisible character' }).waitFor();
      await dialog().getByLabel('Name').fill('Stick');
      await answer('Save');
      await said('Passkey added.');
      await passkeys().filter({ hasText: 'Stick' }).waitFor();
      const [options, verify, ...names] = changes();
      expect([options?.what, options?.body]).toEqual(['POST /svc/auth/register/options', '{}']);
      expect(verify?.what).toBe('POST /svc/auth/register/verify');
      expect(JSON.parse(verify?.body ?? '')).not.toHaveProperty('name');
      expect(names.at(-1)).toEqual({
        what: 'PATCH /svc/me/passkeys/<id>',
        body: '{"name":"Stick"}',
      });
    });

    it('stays without a name when that is skipped', async () => {
      await answer('Skip');
      await said('Passkey added.');
      expect(await passkeys().count()).toBe(2);
      expect(changes()).toHaveLength(2);
    });
  });

  it('after a recovery one button adds a passkey, named after the browser', async () => {
    const person = await personIn(page, gatehouse);
    const { codes } = (await person.post('/svc/me/recovery-codes')).json<{ codes: string[] }>();
    ({ page } = await chromium.open());
    await page.goto(`${gatehouse.origin}/svc/account/recover`);
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await button('Recover account').click();
    await page.getByRole('heading', { name: 'Add a passkey now' }).waitFor();
    await eventually(async () => expect(await button('Add a passkey').count()).toBe(1));
    await button('Add a passkey').click();
    await dialog().getByRole('heading', { name: 'Name your passkey' }).waitFor();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Chrome on Linux');
    await answer('Save');
    await passkeys().filter({ hasText: 'Chrome on Linux' }).waitFor();
    await eventually(async () => expect(await button('Add a passkey').count()).toBe(1));
  });

  describe('codes that were not saved yet', () => {
    let questions: string[];

    beforeEach(async () => {
      questions = [];
      page.on('dialog', (opened) => {
        questions.push(opened.type());
        return opened.dismiss();
      });
      await createCodes();
    });
    const leave = () => page.evaluate(`location.assign('/svc/account/recover')`);
    const isElsewhere = () => page.waitForURL('**/recover');

    it('keep the page from being left without a question', async () => {
      await leave().catch(() => undefined);
      await eventually(() => expect(questions).toEqual(['beforeunload']));
      expect(chromium.takeComplaints()).toEqual(['']);
      expect(page.url()).toBe(`${gatehouse.origin}/svc/account`);
      expect(await page.locator('#codes li').count()).toBe(10);
    });

    it.each([
      ['copied', 'Copy'],
      ['downloaded', 'Download'],
      ['printed', 'Print'],
      ['put away', 'I’ve saved my codes'],
    ])('can be left without a question once they are %s', async (_how, name) => {
      await page.evaluate('globalThis.print = () => {}');
      await button(name).click();
      if (name === 'Copy') await said('Copied.');
      await leave();
      await isElsewhere();
      expect(questions).toEqual([]);
    });

    it('are asked about before signing out', async () => {
      await button('Sign out').click();
      await dialog().getByText('without saving your recovery codes').waitFor();
      expect(await problemsInEveryLook(page)).toEqual([]);
      await answer('Cancel');
      expect(await page.locator('#codes li').count()).toBe(10);
      await button('Sign out').click();
      await answer('Sign out');
      await isSignedOut();
      expect(questions).toEqual([]);
    });

    it('stay on the page when the session ends in another tab', async () => {
      await (await personIn(page, gatehouse)).post('/svc/auth/logout');
      await lookAgain();
      await dialog().getByRole('heading', { name: 'You are signed out' }).waitFor();
      await answer('Cancel');
      expect(await page.locator('#codes li').count()).toBe(10);
    });

    it('are printed with the address where they are used, and without the rest of the page', async () => {
      await page.emulateMedia({ media: 'print' });
      const sheet = await page.locator('body').innerText();
      expect(sheet).toContain(`${gatehouse.origin}/svc/account/recover`);
      expect(sheet).not.toMatch(/On this page|Connected apps|Copy/);
    });

    it('are gone with a deleted account', async () => {
      await button('Delete account…').click();
      await dialog().getByRole('textbox').fill('delete');
      await answer('Delete account permanently');
      await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
      await isSignedOut();
      expect(questions).toEqual([]);
    });
  });

  it('signing out says so, once', async () => {
    await button('Sign out').click();
    await isSignedOut();
    await said('You are signed out.');
    await page.reload();
    await isSignedOut();
    expect(await page.locator('#status').textContent()).toBe('');
  });

  it('a session that is over offers the sign-in page', async () => {
    await (await personIn(page, gatehouse)).post('/svc/auth/logout');
    await button('Change name').click();
    await answer('Save');
    await dialog().getByRole('heading', { name: 'You are signed out' }).waitFor();
    await answer('Go to the sign-in page');
    await isSignedOut();
  });
});
