import type { Page } from 'playwright-core';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { advanceClock, eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';

const HOUR_MS = 3_600_000;

describe('the account page in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { alert, answer, button, dialog, focused, rows, said } = chromium;
  let page: Page;
  let device: VirtualAuthenticator;

  beforeEach(async () => {
    ({ page, device } = await chromium.open());
  });

  const signUp = (name?: string) => chromium.signUp(gatehouse.origin, name);
  const plugInStick = async () => {
    const stick = await VirtualAuthenticator.plugInto(page, 'usb');
    await device.isTouched(false);
    return stick;
  };
  const addStick = async () => {
    const stick = await plugInStick();
    await button('Add a passkey').click();
    await answer('Save');
    await said('Passkey added.');
    await eventually(async () => expect(await rows('Passkeys').count()).toBe(2));
    return stick;
  };
  /** Advances an hour, in the page too. */
  const age = async () => {
    advanceClock(HOUR_MS);
    await page.clock.setSystemTime(Date.now());
  };
  const isSignedOut = () => button('Create account with a passkey').waitFor();

  it('a person signs up, and learns what happens when the only passkey is lost', async () => {
    await signUp('Ann Example');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Ann Example');
    expect(await rows('Passkeys').innerText()).toMatch(
      /Used for this session\s+Synced across your devices\s+Added just now\s+Rename/,
    );
    expect(await page.locator('#passkey-loss').innerText()).toMatch(
      /you won’t be able to sign in.+Add a second passkey/s,
    );
    expect(await rows('Where you’re signed in').innerText()).toMatch(
      /Chrome on \w+\s+This browser\s+Active now, signed in just now/,
    );
    expect(await page.locator('#budget').innerText()).toMatch(/1,000 of 1,000 credits left/);
  });

  it('a second passkey is added, and the warning goes', async () => {
    await signUp();
    const stick = await addStick();
    expect(await stick.credentials()).toHaveLength(1);
    expect(await rows('Passkeys').first().innerText()).toContain('On one device only');
    expect(await page.locator('#passkey-loss').isVisible()).toBe(false);
    await eventually(async () => expect(await focused()).toBe('add-passkey'));
  });

  it('a passkey in the same place, and one that is not made, are explained where they were asked for', async () => {
    await signUp();
    await button('Add a passkey').click();
    await alert('You already have a passkey for this account there');
    await device.verifiesUser(false);
    await (await plugInStick()).verifiesUser(false);
    await button('Add a passkey').click();
    await alert('No passkey was added');
    expect(await rows('Passkeys').count()).toBe(1);
  });

  it('a passkey is renamed; a bad name is explained in the dialog', async () => {
    await signUp();
    const rename = rows('Passkeys').getByRole('button', { name: 'Rename' });
    await rename.click();
    await dialog().getByLabel('Name').fill('a\u200bb');
    await answer('Save');
    await alert('The name has an invisible character');
    expect(await focused()).toBe('question-input');
    await dialog().getByLabel('Name').fill('<b>Laptop</b>');
    await page.keyboard.press('Enter');
    await said('Passkey renamed.');
    await page.getByText('<b>Laptop</b>', { exact: true }).waitFor();
    await eventually(async () =>
      expect(await rename.evaluate((it) => it === document.activeElement)).toBe(true),
    );
  });

  it('a passkey is removed, here and from the passkey manager; the last one is not', async () => {
    await signUp();
    const stick = await addStick();
    await rows('Passkeys').first().getByRole('button', { name: 'Remove' }).click();
    await answer('Remove passkey');
    await said('Passkey removed.');
    await eventually(async () => expect(await rows('Passkeys').count()).toBe(1));
    expect(await focused()).toBe('passkeys-heading');
    await eventually(async () => expect(await stick.credentials()).toEqual([]));
    expect(await device.credentials()).toHaveLength(1);
    await rows('Passkeys').getByRole('button', { name: 'Remove' }).click();
    await dialog().getByText('This is your last passkey').waitFor();
    await page.keyboard.press('Escape');
    expect(await rows('Passkeys').count()).toBe(1);
  });

  it('an old session is led through a fresh sign-in, and what was asked for is done', async () => {
    await signUp();
    await addStick();
    await age();
    await rows('Passkeys').last().getByRole('button', { name: 'Remove' }).click();
    await answer('Remove passkey');
    await dialog().getByText('Confirm it’s you').waitFor();
    await page.locator('#sign-in-again').getByRole('button', { name: 'Cancel' }).click();
    await alert('You didn’t confirm it’s you, so nothing was changed.');
    await answer('Remove passkey');
    await answer('Use a passkey');
    await said('Passkey removed.');
    await eventually(async () => expect(await rows('Passkeys').count()).toBe(1));
    expect(await rows('Passkeys').innerText()).toMatch(
      /Used for this session.+last used just now/s,
    );
  });

  it('a fresh sign-in takes passkeys of this account alone', async () => {
    await signUp('Ben');
    await page.context().clearCookies();
    await plugInStick();
    await signUp('Ann');
    await device.isTouched(true);
    await age();
    await button('Delete account…').click();
    await dialog().getByRole('textbox').fill('delete');
    await answer('Delete account permanently');
    await dialog().getByText('Confirm it’s you').waitFor();
    await answer('Use a passkey');
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    expect(await device.credentials()).toHaveLength(1);
  });

  it('another session is ended, and all others at once', async () => {
    await signUp();
    const elsewhere = async () => {
      const old = await page.context().cookies();
      await page.context().clearCookies();
      await page.goto(`${gatehouse.origin}/svc/account`);
      await button('Sign in with a passkey').click();
      await rows('Where you’re signed in').first().waitFor();
      return old;
    };
    const old = await elsewhere();
    const older = await elsewhere();
    await eventually(async () => expect(await rows('Where you’re signed in').count()).toBe(3));
    await page
      .getByRole('button', { name: /^Sign out .*Chrome/ })
      .first()
      .click();
    await answer('Sign out');
    await said('Session signed out.');
    await eventually(async () => expect(await rows('Where you’re signed in').count()).toBe(2));
    await button('Sign out everywhere else').click();
    await answer('Sign out everywhere else');
    await said('Signed out everywhere else.');
    await eventually(async () => expect(await rows('Where you’re signed in').count()).toBe(1));
    expect(await button('Sign out everywhere else').isVisible()).toBe(false);
    for (const cookies of [old, older]) {
      const other = await chromium.launched().newContext();
      await other.addCookies(cookies);
      const opened = await other.newPage();
      await opened.goto(`${gatehouse.origin}/svc/account`);
      await opened.getByRole('button', { name: 'Create account with a passkey' }).waitFor();
      await other.close();
    }
  });

  it('the name is changed, in the passkey manager too', async () => {
    await signUp();
    await button('Change name').click();
    await dialog().getByLabel('Your name').fill('x'.repeat(41));
    await answer('Save');
    await alert('Your name is too long');
    await dialog().getByLabel('Your name').fill('  Zoë   Q ');
    await answer('Save');
    await said('Name changed.');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Zoë Q');
    await eventually(async () =>
      expect((await device.credentials())[0]?.userDisplayName).toBe('Zoë Q'),
    );
  });

  it('the account is deleted once the word is typed, and its passkeys with it', async () => {
    await signUp();
    await button('Delete account…').click();
    await answer('Delete account permanently');
    await alert('Type “delete” to delete your account');
    expect(await device.credentials()).toHaveLength(1);
    await dialog().getByRole('textbox').fill('Delete');
    await answer('Delete account permanently');
    await page.getByRole('heading', { name: 'Your account has been deleted' }).waitFor();
    expect(await focused()).toBe('deleted-heading');
    await eventually(async () => expect(await device.credentials()).toEqual([]));
    await page.getByRole('link', { name: 'Go to the sign-in page' }).click();
    await isSignedOut();
  });

  it('signing out leads to the sign-in page, in other tabs on return', async () => {
    await signUp();
    const other = await page.context().newPage();
    await other.goto(`${gatehouse.origin}/svc/account`);
    await other.getByRole('button', { name: 'Change name' }).waitFor();
    await button('Sign out').first().click();
    await isSignedOut();
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await other.getByRole('button', { name: 'Create account with a passkey' }).waitFor();
  });

  it('a passkey that was deleted is forgotten by its manager when it is offered to sign in', async () => {
    await signUp();
    const stick = await addStick();
    const [{ credentialId = '' } = {}] = await stick.credentials();
    const id = Buffer.from(credentialId, 'base64').toString('base64url');
    await page.evaluate(`fetch('/svc/me/passkeys/${id}', { method: 'DELETE' })`);
    await page.context().clearCookies();
    await page.goto(`${gatehouse.origin}/svc/account`);
    await button('Sign in with a passkey').click();
    await said('press the button again');
    await button('Sign in with a passkey').click();
    await said('This passkey isn’t registered here');
    await eventually(async () => expect(await stick.credentials()).toEqual([]));
    expect(await device.credentials()).toHaveLength(1);
  });
});

declare const document: { readonly activeElement: unknown };
