import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext } from 'playwright-core';
import { useChromium } from '../support/chromium.js';
import { useStarted } from '../support/gatehouse.js';
import { eventually } from '#libs/platform/testing';
import { SiteApp } from './site-app.js';
import { SitePage, startDemo } from './site-fixture.js';

const POLYFILL = readFileSync(
  createRequire(import.meta.url).resolve('@mcp-b/webmcp-polyfill/iife'),
  'utf8',
);

const TASK_TOOLS = [
  'add_task',
  'list_tasks',
  'plan_tasks',
  'remove_task',
  'show_tasks',
  'update_task',
];

describe.each([
  ['the polyfill', [], `${POLYFILL};WebMCPPolyfill.initializeWebMCPPolyfill();`],
  ['WebMCP of its own', ['--enable-features=WebMCP'], ''],
])('tools of a page in a browser with %s', (_what, args, script) => {
  const chromium = useChromium(...args);
  const demo = useStarted(() => startDemo());
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  let site: SitePage;

  beforeAll(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin);
    await site.signUp();
    signedIn = await site.context.storageState();
    await site.context.close();
  });
  beforeEach(async () => {
    site = await SitePage.create(chromium.launched(), demo.origin, { storageState: signedIn });
    if (script !== '') await site.page.addInitScript(script);
    await site.page.goto(`${demo.origin}/tasks/`);
    await eventually(async () => expect(await ofHub()).toEqual(TASK_TOOLS));
  });
  afterEach(() => site.context.close());

  /** Runs code in the page, with imports from the client. */
  const run = <Result>(code: string) =>
    site.page.evaluate<Result>(
      `(async () => { const { hub, registerTool } = await import('/svc/client.js'); ${code} })()`,
    );
  /** The names of this tab's tools, as the hub knows them. */
  const ofHub = () =>
    run<string[]>('return hub.tabs.find(({ id }) => id === hub.tabId)?.toolNames.toSorted();');
  const ofBrowser = () =>
    run<string[]>(
      'return (await document.modelContext.getTools()).map(({ name }) => name).toSorted();',
    );
  const PAINT = `{ name: 'paint', description: 'Paints.', execute: () => 'teal' }`;
  const nameOfError = 'then(() => undefined, ({ name }) => name)';

  it('are with both, once', async () => {
    expect(await ofBrowser()).toEqual(TASK_TOOLS);
    expect(site.complaints).toEqual([]);
  });

  it('are run by the assistant of the browser too', async () => {
    await run(`
      const tool = (await document.modelContext.getTools()).find(({ name }) => name === 'add_task');
      const input = { title: 'Buy teal paint' };
      await document.modelContext.executeTool(tool, input).catch(() =>
        document.modelContext.executeTool(tool, JSON.stringify(input)));`);
    const task = site.page.locator('.task', { hasText: 'Buy teal paint' });
    await task.getByText('changed by Your browser').waitFor();
    expect(await task.count()).toBe(1);
  });

  it('are with neither when one of both refuses', async () => {
    const refused = await run(`
      await document.modelContext.registerTool(${PAINT});
      return registerTool(${PAINT}).${nameOfError};`);
    expect(refused).toBe('InvalidStateError');
    await run(`await registerTool({ ...${PAINT}, name: 'speak' });`);
    await eventually(async () =>
      expect(await ofHub()).toEqual([...TASK_TOOLS, 'speak'].toSorted()),
    );
    const tooLarge = await run(
      `return registerTool({ ...${PAINT}, name: 'x', description: 'x'.repeat(2001) }).${nameOfError};`,
    );
    expect(tooLarge).toBe('QuotaExceededError');
    expect(await ofBrowser()).toEqual([...TASK_TOOLS, 'paint', 'speak'].toSorted());
  });

  it('are gone from both when their signal says so, and may come again', async () => {
    await run(`
      globalThis.here = new AbortController();
      await registerTool(${PAINT}, { signal: here.signal });`);
    await eventually(async () => expect(await ofHub()).toContain('paint'));
    await run('here.abort();');
    await eventually(async () => expect(await ofHub()).toEqual(TASK_TOOLS));
    expect(await ofBrowser()).toEqual(TASK_TOOLS);
    await run(`await registerTool(${PAINT});`);
    await eventually(async () => expect(await ofHub()).toContain('paint'));
    expect(await ofBrowser()).toContain('paint');
  });

  it('are with the hub again after each connection', async () => {
    const before = await run<string>(
      'const { tabId } = hub; hub.close(); hub.open(); return tabId;',
    );
    await eventually(async () => {
      expect(await run('return hub.tabId;')).toEqual(expect.not.stringMatching(`^(${before}|)$`));
      expect(await ofHub()).toEqual(TASK_TOOLS);
    });
  });

  describe('of the page that knows only WebMCP', () => {
    const LIST_TOOLS = ['add_item', 'read_list', 'remove_item'];
    const items = () => site.items('items').allTextContents();

    beforeEach(async () => {
      await site.page.goto(`${demo.origin}/shopping/`);
      await eventually(async () => expect(await ofHub()).toEqual(LIST_TOOLS));
    });

    it('work for an app, its form too', async () => {
      const app = await SiteApp.start(demo.origin, 'Cook', site.context);
      const valueOf = async (name: string, input?: object) => {
        const { isError, content, structuredContent } = await app.call(name, input);
        return isError ? content[0]?.text : structuredContent;
      };
      expect(await valueOf('page_add_item', { item: '2 lemons' })).toEqual({
        value: { items: ['2 lemons'] },
      });
      expect(await items()).toEqual(['2 lemons']);
      await site.page.getByLabel('Item').fill('milk');
      await site.button('Add').click();
      expect(await valueOf('page_read_list')).toEqual({ value: { items: ['2 lemons', 'milk'] } });
      expect(await valueOf('page_remove_item', { item: '2 lemons' })).toEqual({
        value: { items: ['milk'] },
      });
      expect(await valueOf('page_remove_item', { item: '2 lemons' })).toEqual({
        value: { refused: expect.stringContaining('no such item') },
      });
      expect(await valueOf('page_remove_item')).toContain('item is missing');
      expect(await items()).toEqual(['milk']);
      expect(site.complaints).toEqual([]);
      await app.stop();
    });

    it('are offered again after a sign-in in the page', async () => {
      const state = () => run<string>('return hub.state;');
      await run(`const { signOut } = await import('/svc/client.js'); await signOut();`);
      await eventually(async () => expect(await state()).toBe('signed-out'));
      await site.page.reload();
      await site.page.waitForLoadState('networkidle');
      expect(await state()).toBe('closed');
      await run(`
        const { signUp } = await import('/svc/client.js');
        await signUp({ displayName: 'Ben' });`);
      await eventually(async () => expect(await ofHub()).toEqual(LIST_TOOLS));
    });
  });
});
