import { useChromium, VirtualAuthenticator } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { SiteApp } from './site-app.js';
import { SitePage, startDemo } from './site-fixture.js';

const TEAL = 'rgb(0, 128, 128)';
const MARKUP = '<img src=x onerror="document.title=1">';

describe('the example site in front of the service', () => {
  const chromium = useChromium();
  const demo = useStarted(() => startDemo());
  let site: SitePage;

  beforeEach(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
  });
  afterEach(() => site.context.close());

  const connected = (page: SitePage) =>
    eventually(async () => expect(await page.text('hub-state')).toBe('Connected to the hub.'));
  const tabTitles = (page: SitePage) => page.items('tabs').locator('strong').allTextContents();
  const status = async (text: string, page = site) =>
    eventually(async () => expect(await page.text('status')).toBe(text));

  const focused = () => site.page.evaluate(() => document.activeElement?.id);

  it('creates an account, and shows its name and budget', async () => {
    await site.signUp('Ann <b>Example</b>');
    expect(await site.text('account-name')).toBe('Ann <b>Example</b>');
    expect(await site.text('budget')).toMatch(
      /^0 of 1000 credits used today\. Resets in \d+ (hour|minute)s?, at .+ your time\.$/,
    );
    await status('Your account is ready.');
    const address = `${demo.origin}/svc/mcp`;
    expect(await site.page.getByLabel('MCP address').inputValue()).toBe(address);
    await site.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await site.button('Copy').click();
    await status('Address copied.');
    expect(await site.page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    expect(site.complaints).toEqual([]);
  });

  it('signs out, and in again', async () => {
    await site.signUp('Ben');
    await site.button('Sign out').click();
    await site.heading('Sign in').waitFor();
    await eventually(async () => expect(await focused()).toBe('sign-in'));
    await site.button('Sign in with a passkey').click();
    await site.heading('Your account').waitFor();
    expect(await site.text('account-name')).toBe('Ben');
    await eventually(async () => expect(await focused()).toBe('account-heading'));
    expect(site.complaints).toEqual([]);
  });

  it('leads to the account page, and back from a passkey that was added there', async () => {
    await site.signUp();
    await site.page.getByRole('link', { name: 'Passkeys, connected apps and activity' }).click();
    await site.heading('Passkeys').waitFor();
    const stick = await VirtualAuthenticator.plugInto(site.page, 'usb');
    await site.authenticator.isTouched(false);
    await site.button('Add a passkey').first().click();
    await eventually(async () => expect(await stick.credentials()).toHaveLength(1));
    await site.page.goBack();
    await site.heading('Your account').waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('works in a browser that cannot translate credentials from and to JSON', async () => {
    await site.page.addInitScript(`
      delete PublicKeyCredential.parseCreationOptionsFromJSON;
      delete PublicKeyCredential.parseRequestOptionsFromJSON;
      delete PublicKeyCredential.prototype.toJSON;`);
    await site.signUp();
    await site.button('Sign out').click();
    await site.button('Sign in with a passkey').click();
    await site.heading('Your account').waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('says what the service refused', async () => {
    await site.open();
    await site.page.getByLabel('Your name').fill('\u200B');
    await site.button('Create account with a passkey').click();
    await eventually(async () =>
      expect(await site.text('status')).toMatch(
        /^That didn’t work: “Your name” has an invisible character, U\+200B .* at position 1; /,
      ),
    );
    expect(site.complaints).toEqual([expect.stringContaining('400')]);
  });

  it('leads from 127.0.0.1 to localhost', async () => {
    await site.page.goto(`${demo.origin.replace('localhost', '127.0.0.1')}/connect/`);
    await site.heading('Passkeys don’t work at this address').waitFor();
    await site.page.getByRole('main').getByRole('link').click();
    await site.heading('Sign in').waitFor();
    expect(site.page.url()).toBe(`${demo.origin}/connect/`);
  });

  describe('with an MCP client', () => {
    let app: SiteApp;
    let tab: string;

    beforeEach(async () => {
      // Starting its process takes as long as a sign-up.
      app = await SiteApp.start(demo.origin, 'Painter', site.context);
      await site.signUp();
      await connected(site);
      const { structuredContent } = await app.call('list_tabs');
      const { tabs } = structuredContent as { tabs: { id: string; title: string }[] };
      expect(tabs).toEqual([
        expect.objectContaining({ title: 'Try Gatehouse', url: `${demo.origin}/connect/` }),
      ]);
      tab = tabs[0]?.id ?? '';
    });
    afterEach(() => app.stop());

    const ask = (method: string, params?: object) => app.call('call_tab', { tab, method, params });

    it('the page changes its colour when asked to, and pays from the budget', async () => {
      expect(await site.color()).not.toBe(TEAL);
      const painted = await ask('set_color', { color: 'teal' });
      expect(painted.structuredContent).toEqual({ value: { color: 'teal' } });
      expect(await site.color()).toBe(TEAL);
      expect(await site.text('color')).toBe('teal');
      await eventually(async () =>
        expect(await site.text('budget')).toMatch(/^[1-9]\d* of 1000 credits/),
      );
      expect(await site.violations()).toEqual([]);
      expect(site.complaints).toEqual([]);
    });

    it('the page refuses what is not a colour', async () => {
      for (const color of ['url(x)', 'inherit', 'var(--page)', 'red; top: 0', '']) {
        const refused = await ask('set_color', { color });
        expect(refused.isError).toBe(true);
        expect(refused.content[0]?.text).toContain('color must be a CSS color');
      }
      for (const color of [7, undefined])
        expect(await ask('set_color', { color })).toMatchObject({ isError: true });
      expect(await site.text('color')).toBe('none yet');
    });

    it('the page tells its title, says things, and knows nothing else', async () => {
      await site.page.getByLabel('Title shown to apps').fill('Kitchen');
      await site.page.keyboard.press('Enter');
      expect((await ask('get_title')).structuredContent).toEqual({ value: { title: 'Kitchen' } });
      await eventually(async () => expect(await tabTitles(site)).toEqual(['Kitchen']));
      await ask('say', { text: MARKUP });
      expect(await site.text('said')).toBe(`Painter says: ${MARKUP}`);
      for (const method of ['constructor', 'toString', '__proto__', 'eval']) {
        const refused = await ask(method);
        expect(refused.isError).toBe(true);
        expect(refused.content[0]?.text).toContain('no such tool');
      }
    });

    it('a message of an app is text and nothing else', async () => {
      const sent = await app.call('send_message', { body: MARKUP });
      expect(sent.structuredContent).toEqual({ delivered: 1 });
      const [message] = await eventually(async () => {
        const texts = await site.items('messages').allTextContents();
        expect(texts).toHaveLength(1);
        return texts;
      });
      expect(message).toContain('Painter');
      expect(message).toContain(MARKUP);
      expect(await site.page.locator('#messages img').count()).toBe(0);
      expect(await site.page.title()).toBe('Try Gatehouse');
      expect(site.complaints).toEqual([]);
    });

    it('an app that is disconnected on the account page has to ask again', async () => {
      await ask('get_title');
      await site.page.getByRole('link', { name: 'disconnect it' }).click();
      await site.page.getByRole('button', { name: /^Disconnect .Painter., connected/ }).click();
      await site.page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await site.page.getByText('You haven’t connected any apps.').waitFor();
      const refused = await fetch(`${demo.origin}/svc/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      expect(refused.status).toBe(401);
      const { visits } = app;
      await app.call('list_tabs');
      expect(app.visits).toBe(visits + 1);
    });
  });

  describe('in two tabs', () => {
    let second: SitePage;

    beforeEach(async () => {
      await site.signUp();
      await connected(site);
      second = await site.another();
      await connected(second);
    });

    it('each shows both, and gets what the other sends', async () => {
      await eventually(async () => {
        expect(await site.items('tabs').count()).toBe(2);
        expect(await second.items('tabs').count()).toBe(2);
      });
      await site.page.getByRole('textbox', { name: 'Message', exact: true }).fill(MARKUP);
      await site.button('Send').click();
      await status('Delivered to 1 tab.');
      await eventually(async () =>
        expect((await second.items('messages').allTextContents()).join()).toContain(MARKUP),
      );
      expect(await site.items('messages').count()).toBe(0);
      await second.page.close();
      await eventually(async () => expect(await site.items('tabs').count()).toBe(1));
      expect([...site.complaints, ...second.complaints]).toEqual([]);
    });

    it('signing out in one signs the other out', async () => {
      await second.button('Sign out').click();
      await site.heading('Sign in').waitFor();
      await status('You are signed out.');
      expect(await site.text('hub-state')).toBe('Not connected.');
      expect(await site.text('said')).toBe('');
      expect([...site.complaints, ...second.complaints]).toEqual([]);
    });
  });
});

declare const navigator: { readonly clipboard: { readText(): Promise<string> } };
declare const document: { readonly activeElement: { readonly id: string } | null };
