import { readFileSync } from 'node:fs';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { SiteApp } from './site-app.js';
import { SitePage, startDemo } from './site-fixture.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** A snippet of a document in a language, the last one by default. */
const snippet = (path: string, language: string, at = -1) =>
  [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].at(at)?.[1] ??
  '';

/** A page that a test creates has no address, and may not reach this machine otherwise. */
const ANY_ADDRESS = '--disable-features=LocalNetworkAccessChecks';

describe('the examples for pages', () => {
  const chromium = useChromium(ANY_ADDRESS, '--enable-features=WebMCP');
  const demo = useStarted(() => startDemo());
  let site: SitePage;
  let app: SiteApp;

  beforeAll(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
    await site.signUp();
    app = await SiteApp.start(demo.origin, 'Notes', site.context);
  });
  afterAll(() => app.stop());

  /** Shows a page of the site with this body. */
  async function show(body: string) {
    const html = `<!doctype html><title>Example</title>${body}`;
    await site.page.route('**/example.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: html }),
    );
    await site.page.goto(`${demo.origin}/example.html`);
  }

  const openTab = () =>
    eventually(async () => {
      const { structuredContent } = await app.call('list_tabs');
      const { tabs } = structuredContent as { tabs: { id: string; title: string }[] };
      const found = tabs.find(({ title }) => title === 'Example');
      if (!found) throw new Error(`no tab yet: ${site.complaints.join()}`);
      return found.id;
    });

  it('of README.md signs in', async () => {
    await site.page.evaluate("fetch('/svc/auth/logout', { method: 'POST' })");
    await show(snippet('README.md', 'html'));
    await site.page.getByRole('button', { name: 'Sign in' }).click();
    await site.page.getByText('Hello, Ann.').waitFor();
    expect(site.complaints).toEqual([]);
  });

  it('of docs/guides/sign-in.md signs out, creates an account and signs in', async () => {
    await show(snippet('docs/guides/sign-in.md', 'html'));
    await site.page.getByText('Hello, Ann.').waitFor();
    await site.button('Sign out').click();
    await site.page.getByText('You are signed out.').waitFor();
    await site.page.getByPlaceholder('Your name').fill('\u202E');
    await site.button('Create account').click();
    await site.page.getByText('character').waitFor();
    await site.page.getByPlaceholder('Your name').fill('Bob');
    await site.button('Create account').click();
    await site.page.getByText('Hello, Bob.').waitFor();
    await site.button('Sign out').click();
    await site.button('Sign in').click();
    await site.page.getByText('Hello, ').waitFor();
  });

  it('of docs/guides/page-tools.md that knows only WebMCP offers a form and a tool', async () => {
    await show(snippet('docs/guides/page-tools.md', 'html', 0));
    const value = { items: ['milk'] };
    for (const [name, args] of [
      ['page_add_item', { item: 'milk' }],
      ['page_read_list', {}],
    ] as const) {
      await eventually(async () =>
        expect((await app.call(name, args)).structuredContent).toEqual({ value }),
      );
    }
    expect(await site.page.locator('li').allTextContents()).toEqual(['milk']);
  });

  it('of docs/guides/page-tools.md offers a tool that works', async () => {
    await show(`<ul></ul>${snippet('docs/guides/page-tools.md', 'html')}`);
    const added = await eventually(async () => {
      const answer = await app.call('page_add_item', { text: 'milk' });
      expect(answer.isError).toBeFalsy();
      return answer;
    });
    expect(added.content[0]?.text).toContain('"items":1');
    expect(await site.page.locator('li').allTextContents()).toEqual(['milk']);
  });

  it('of docs/guides/user-control.md shows what an app asks, until it is answered', async () => {
    await site.permit({ 'tabs:write': 'ask' });
    await show(snippet('docs/guides/user-control.md', 'html'));
    const tab = await openTab();
    const sent = app.call('send_message', { tab, body: 'hello' });
    const banner = site.page.getByText('Notes asks: Send a message to tabs');
    await banner.waitFor();
    const opened = site.page.waitForEvent('popup');
    await site.button('Review').click();
    await site.decide(await opened, 'once');
    expect((await sent).structuredContent).toEqual({ delivered: 1 });
    await banner.waitFor({ state: 'hidden' });
    await site.permit({ 'tabs:write': 'allow' });
  });

  it('of docs/reference/hub-protocol.md is a tab that answers', async () => {
    const script = snippet('docs/reference/hub-protocol.md', 'js');
    await show(`<script type="module">${script}</script>`);
    const call = { tab: await openTab(), method: 'setColour', params: { colour: 'teal' } };
    const answer = await app.call('call_tab', call);
    expect(answer.structuredContent).toEqual({ value: { done: true } });
    expect(await site.page.evaluate('document.body.style.background')).toBe('teal');
    const unknown = await app.call('call_tab', { ...call, method: 'toString' });
    expect(unknown.content[0]?.text).toContain('no such method');
  });
});
