import type { Page } from 'playwright-core';
import { recoveryLinkOf } from '../account/own-account.js';
import { Browser as Person } from '../support/browser.js';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';

/** One person, from an empty database to the deletion of the account. */
describe('a walk through the account page in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { answer, button, said } = chromium;
  let page: Page;
  let codes: string[];
  let stick: VirtualAuthenticator;

  const passkeys = () => chromium.rows('Passkeys');
  const hasPasskeys = (count: number) =>
    eventually(async () => expect(await passkeys().count()).toBe(count));
  const activity = () => page.locator('#event-list > li .name').allInnerTexts();

  const newBrowser = async () => {
    const { device } = ({ page } = await chromium.open());
    return device;
  };
  const isAskedForPasskey = () =>
    page.getByRole('heading', { name: 'Add a passkey now' }).waitFor();
  const addFirst = async () => {
    await page.locator('#recovered').getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your new passkey is ready' }).waitFor();
    await answer('Save');
    await said('Passkey added.');
  };
  const signIn = async () => {
    await page.goto(gatehouse.origin);
    await button('Sign in with a passkey').click();
    await button('Sign out').waitFor();
  };

  it('from an empty database to the end of the account', async () => {
    const laptop = await newBrowser();
    await page.goto(gatehouse.origin);
    expect(page.url()).toBe(`${gatehouse.origin}/svc/account`);
    await page.getByLabel('Your name').fill('Ann');
    await button('Create account with a passkey').click();
    await hasPasskeys(1);
    await page.locator('#passkey-loss').getByText('you won’t be able to sign in').waitFor();

    await page.getByRole('link', { name: 'Get recovery codes' }).click();
    await button('Create recovery codes').click();
    await page.locator('#codes li').nth(9).waitFor();
    codes = await page.locator('#codes li').allInnerTexts();
    await button('I’ve saved my codes').click();

    stick = await VirtualAuthenticator.plugInto(page, 'usb');
    await laptop.isTouched(false);
    await button('Add a passkey').click();
    await answer('Save');
    await passkeys().filter({ hasText: 'Security key' }).waitFor();
    await hasPasskeys(2);
    expect(await stick.credentials()).toHaveLength(1);
    await passkeys()
      .first()
      .getByRole('button', { name: /^Rename/ })
      .click();
    await page.getByRole('dialog').getByRole('textbox').fill('Stick in the drawer');
    await answer('Save');
    await said('Passkey renamed.');
    await passkeys().filter({ hasText: 'Stick in the drawer' }).waitFor();

    // All passkeys are lost together with the browser.
    await newBrowser();
    await page.goto(gatehouse.origin);
    await page.getByRole('link', { name: 'Lost your passkeys?' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await button('Recover account').click();
    await isAskedForPasskey();
    await addFirst();
    await hasPasskeys(3);
    await button(/^Remove .Stick in the drawer.$/).click();
    await answer('Remove passkey');
    await hasPasskeys(2);
    await button('Sign out').click();
    await button('Sign in with a passkey').waitFor();
    await signIn();
    expect(await page.locator('#recovered').count()).toBe(0);
    const id = (await page.locator('#profile').getAttribute('data-user')) ?? '';

    // Lost again, without a recovery code: an administrator helps.
    await newBrowser();
    await page.goto(await recoveryLinkOf(gatehouse, id));
    await button('Recover account').click();
    await isAskedForPasskey();
    await addFirst();
    await hasPasskeys(3);
    await eventually(async () => {
      await page.reload();
      await page.locator('#event-list > li').first().waitFor();
      expect((await activity()).slice(0, 4)).toEqual([
        'Passkey renamed',
        'Passkey added',
        'Account recovered with a code or link',
        'Recovery link created for you',
      ]);
    });

    await button('Delete account…').click();
    await page.getByRole('dialog').getByRole('textbox').fill('delete');
    await answer('Delete account permanently');
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    await page.goto(gatehouse.origin);
    await button('Create account with a passkey').waitFor();
    const late = await new Person(gatehouse).post('/svc/recovery', { code: codes[1] ?? '' });
    expect(late.status).toBe(400);
  });
});
