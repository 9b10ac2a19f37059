import type { Page } from 'playwright-core';
import { builtInAccountTexts } from '#libs/ui-templates';
import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';

const { texts } = builtInAccountTexts.choose(['he']);
const { passkeys, sessions, recoveryCodes, profile } = texts;

describe('the account page from right to left in Chromium (contract: Account page)', () => {
  const chromium = useChromium();
  const gatehouse = useGatehouse();
  const { alert, answer, button, dialog, said } = chromium;
  let page: Page;
  let device: VirtualAuthenticator;

  beforeAll(async () => {
    ({ page, device } = await chromium.open({ locale: 'he-IL' }));
    await page.goto(`${gatehouse.origin}/svc/account`);
    await page.locator('#name').fill('דנה');
    await page.locator('#create').click();
    await rows('#passkey-list').first().waitFor();
  });

  const rows = (list: string) => page.locator(`${list} > li`);

  it('begins at the right, in the words and dates of the language', async () => {
    const { dir, lang } = await page.evaluate<{ dir: string; lang: string }>(
      '({ dir: document.documentElement.dir, lang: document.documentElement.lang })',
    );
    expect([lang, dir]).toEqual(['he', 'rtl']);
    expect(await rows('#passkey-list').innerText()).toMatch(/נוסף לפני רגע\s+שינוי שם/);
    expect(await rows('#session-list').innerText()).toMatch(/^Chrome ב־\w+\s+הדפדפן הזה/);
    expect(await page.locator('#budget-left').innerText()).toContain('1,000 מתוך 1,000');
    const icon = await page.locator('#passkey-list .icon').boundingBox();
    const acts = await page.locator('#passkey-list .acts').boundingBox();
    expect(icon?.x).toBeGreaterThan(acts?.x ?? Infinity);
  });

  it('another session is signed out', async () => {
    await page.context().clearCookies();
    await page.goto(`${gatehouse.origin}/svc/account`);
    await page.locator('#sign-in').click();
    await eventually(async () => expect(await rows('#session-list').count()).toBe(2));
    await button(/^ניתוק Chrome ב־\w+$/).click();
    await answer(sessions.script.endAct);
    await said(sessions.script.doneEnd);
    await eventually(async () => expect(await rows('#session-list').count()).toBe(1));
  });

  it('a passkey is added and renamed; a bad name is explained in the language', async () => {
    await VirtualAuthenticator.plugInto(page, 'usb');
    await device.isTouched(false);
    await button(passkeys.add).click();
    await answer(passkeys.script.renameAct);
    await said(passkeys.script.doneNamed);
    await eventually(async () => expect(await rows('#passkey-list').count()).toBe(2));
    await rows('#passkey-list').first().getByRole('button', { name: passkeys.rename }).click();
    await dialog().getByRole('textbox').fill('x'.repeat(41));
    await answer(passkeys.script.renameAct);
    await alert('השם ארוך מדי');
    await dialog().getByRole('textbox').fill('Stick (2)');
    await answer(passkeys.script.renameAct);
    await said(passkeys.script.doneRename);
    await page.getByText('Stick (2)', { exact: true }).waitFor();
  });

  it('recovery codes are created; each is written from left to right', async () => {
    await button(recoveryCodes.script.create).click();
    await page.locator('#codes li').nth(9).waitFor();
    expect(await page.locator('#codes bdi[dir=ltr]').count()).toBe(10);
    await page.locator('#codes-left').getByText('נותרו 10 קודים מתוך 10').waitFor();
    await button(recoveryCodes.done).click();
    await page.locator('#event-list').getByText('נוצרו קודי שחזור', { exact: true }).waitFor();
  });

  it('the name is changed, and the word for a deletion is one of the language', async () => {
    await button(profile.rename).click();
    await answer(profile.script.act);
    await said(profile.script.done);
    await button(texts.deletion.button).click();
    await dialog().getByRole('textbox').fill('delete');
    await answer(texts.deletion.script.act);
    await alert('יש להקליד את המילה');
    await dialog().getByRole('textbox').fill(' מחיקה ');
    await answer(texts.deletion.script.act);
    await page.getByRole('heading', { name: texts.deletion.doneHeading }).waitFor();
  });
});
