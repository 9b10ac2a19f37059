import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../support/chromium.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { describeWithChromium } from '../support/services/describe-with.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

const replicated = globalThis.STORAGE !== 'embedded';

/** A page of the site with one tool, which takes as long as its arguments say. */
const PAGE = `<!doctype html>
<title>Counter</title>
<p id="state">nothing yet</p>
<script type="module">
  import { hub, registerTool } from '/svc/client.js';

  const show = (text) => (document.querySelector('#state').textContent = text);
  globalThis.refused = [];
  hub.addEventListener('error', ({ detail }) => refused.push(detail));
  await registerTool({
    name: 'count',
    description: 'Counts, and shows it to the user.',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'integer', minimum: 1 } },
      required: ['to'],
      additionalProperties: false,
    },
    async execute({ to }, { app, signal, progress }) {
      signal.addEventListener('abort', () => show(app + ' gave up: ' + signal.reason.name));
      for (let n = 1; n <= to && !signal.aborted; n += 1) {
        show(app + ' counts ' + n);
        progress(n, to);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { counted: to };
    },
  });
  hub.open();
</script>`;

/** Everything that the page sends but results stays with it until it is released, as in a slow network. */
const SLOW = `
  const { send } = WebSocket.prototype;
  let held = [];
  WebSocket.prototype.send = function (text) {
    if (held && !text.startsWith('{"event":"result"')) held.push(() => send.call(this, text));
    else send.call(this, text);
  };
  globalThis.release = () => {
    for (const sent of held) sent();
    held = undefined;
  };`;

const clients = [
  ['SDK 1.x', '1', true],
  ['SDK 2.x', '2', true],
  ['@ai-sdk/mcp, which asks for no progress', 'ai-sdk', false],
] as const;

/** The clients are connected to one process; the browser's tab is connected to the other one if there are two. */
describeWithChromium(
  `a tool of a page in Chromium (${replicated ? 'two replicas' : 'one'})`,
  () => {
    let here: Gatehouse;
    let there: Gatehouse;
    let app: ConnectedApp;
    let chromium: Browser;
    let page: Page;
    let client: ToolClient;

    const shows = (text: string) => page.locator('#state', { hasText: text }).waitFor();

    beforeAll(async () => {
      here = await startGatehouse();
      there = replicated ? await startGatehouse({}, here) : here;
      app = await ConnectedApp.connect(here);
      // A page that Playwright creates has no address, and may reach no address of this machine.
      chromium = await startChromium(
        '--disable-features=LocalNetworkAccessChecks',
        `--host-resolver-rules=MAP localhost:${here.port} 127.0.0.1:${there.port}`,
      );
    });
    beforeEach(async () => {
      const context = await chromium.newContext();
      const [name = '', value = ''] = (app.browser.cookie ?? '').split('=');
      await context.addCookies([{ name, value, url: here.origin }]);
      page = await context.newPage();
      const address = `${here.origin}/counter`;
      await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
      await page.goto(address);
    });
    afterEach(async () => {
      await client.stop();
      await page.context().close();
    });
    afterAll(async () => {
      await chromium.close();
      if (replicated) await there.stop();
      await here.stop();
    });

    it.each(clients)(
      '%s sees it, calls it, cancels it, and is told what does not fit (contract: Page tools)',
      async (_name, which, hearsProgress) => {
        client = await ToolClient.start(which, here, app.token);
        const names = async () => {
          const { tools } = await client.ask<{ tools: { name: string }[] }>({
            method: 'listTools',
          });
          return tools.map(({ name }) => name);
        };
        await eventually(async () => expect(await names()).toContain('page_count'));
        const tabs = (await client.call('list_tabs', {})).answer?.structuredContent?.['tabs'];
        const tools = [{ name: 'count' }];
        expect(tabs).toMatchObject([{ title: 'Counter', url: page.url(), tools }]);

        const mismatch = (await client.call('page_count', { to: 'ten' })).answer;
        expect(mismatch).toMatchObject({ isError: true });
        expect(mismatch?.content[0]?.text).toBe(
          'These arguments do not fit: to takes an integer of at least 1.',
        );
        await shows('nothing yet');

        const { heard, answer } = await client.call('page_count', { to: 3 });
        expect(answer?.structuredContent).toEqual({ value: { counted: 3 } });
        expect(heard[0]).toBe(hearsProgress ? 1 : undefined);
        await shows('counts 3');

        const called = client.call('page_count', { to: 1_000_000 });
        await shows('counts 4');
        client.cancel();
        expect((await called).answer).toBeUndefined();
        await shows('gave up: AbortError');
        const again = (await client.call('page_count', { to: 1 })).answer;
        expect(again?.structuredContent).toEqual({ value: { counted: 1 } });
        expect(await page.evaluate('refused')).toEqual([]);

        await page.close();
        await eventually(async () => expect(await names()).not.toContain('page_count'));
      },
    );

    it('is not called with unchecked arguments while its list is on its way to the hub', async () => {
      client = await ToolClient.start('2', here, app.token);
      await page.addInitScript(SLOW);
      await page.reload();
      const tab = await eventually(async () => {
        const { tabs } = (await app.have('list_tabs')) as { tabs: { id: string; title: string }[] };
        // It was not introduced yet; the page before the reload was.
        expect(tabs).toMatchObject([{ title: '' }]);
        return tabs[0]?.id;
      });
      const call = async (to: unknown) => {
        const { answer } = await client.call('call_tab', { tab, method: 'count', params: { to } });
        return answer?.isError ? answer.content[0]?.text : answer?.structuredContent;
      };
      expect(await call('ten')).toContain('This page has no such tool. It has none at the moment.');
      expect(await page.textContent('#state')).toBe('nothing yet');

      await page.evaluate('release()');
      await eventually(async () => {
        expect(await call('ten')).toBe(
          'These params do not fit: to takes an integer of at least 1.',
        );
        expect(await call(1)).toEqual({ value: { counted: 1 } });
      });
    });
  },
);
