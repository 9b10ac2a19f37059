import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '#libs/platform/testing';
import { fakeModelContext } from '#libs/ui-templates/testing';
import { startChromium } from '../support/chromium.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { describeWithChromium } from '../support/services/describe-with.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

const POLYFILL = readFileSync(
  createRequire(import.meta.url).resolve('@mcp-b/webmcp-polyfill/iife'),
  'utf8',
);
const fake = (version: number) =>
  `Object.defineProperty(document, 'modelContext',
     { value: (${fakeModelContext.toString()})(${version}, window) });`;

/**
 * `forms`: it offers forms; `frames`: it has a place for tools of frames; `tells`: it tells why a tool failed;
 * `outputs`: it knows outputSchema; `hints`: it knows consequentialHint.
 */
const SURFACES = [
  {
    name: 'Chromium',
    args: ['--enable-features=WebMCP'],
    script: '',
    forms: true,
    outputs: false,
    hints: true,
    frames: 'its own',
    tells: false,
  },
  {
    name: 'the polyfill',
    args: [],
    script: `${POLYFILL};WebMCPPolyfill.initializeWebMCPPolyfill();`,
    forms: true,
    outputs: false,
    hints: false,
    frames: 'none',
    tells: true,
  },
  {
    name: 'Chrome to 159',
    args: [],
    script: fake(159),
    forms: false,
    outputs: true,
    hints: true,
    frames: 'of a fake',
    tells: false,
  },
  {
    name: 'Chrome from 160',
    args: [],
    script: fake(160),
    forms: false,
    outputs: true,
    hints: true,
    frames: 'of a fake',
    tells: true,
  },
] as const;

/** A page that knows WebMCP alone, with the one script tag. */
const PAGE = `<!doctype html>
<title>Counter</title>
<form toolname="search" tooldescription="Searches the page." toolautosubmit>
  <input name="words" required toolparamdescription="What to look for." />
</form>
<script type="module" src="/svc/bridge.js"></script>
<script>
  globalThis.ran = [];
  const note = (name, result) => async (input, { signal } = {}) => {
    ran.push(name);
    if (input.wait) await new Promise(() => {});
    if (input.fail) throw new Error('Call list_tasks first.');
    return typeof result === 'function' ? result(input) : result;
  };
  globalThis.add = (name, more = {}, result = ({ to }) => ({ counted: to })) => {
    const here = new AbortController();
    const tool = { name, description: 'Does ' + name, execute: note(name, result), ...more };
    document.modelContext.registerTool(tool, { signal: here.signal });
    return here;
  };
  add('count', {
    title: 'Count',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'integer' }, wait: { type: 'boolean' }, fail: { type: 'boolean' } },
    },
    annotations: { readOnlyHint: true },
  });
  document.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith(Promise.resolve({ found: new FormData(event.target).get('words') }));
  });
</script>`;

const FRAME = `<!doctype html><script>
  document.modelContext?.registerTool(
    { name: new URL(location).searchParams.get('name'), description: 'x', execute: () => 'framed' },
    { exposedTo: [new URL(location).searchParams.get('to')] });
</script>`;

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly annotations: object;
  readonly outputSchema?: object;
}

for (const { name: surface, args, script, forms, frames, tells, outputs, hints } of SURFACES) {
  describeWithChromium(`tools that a page registered with ${surface}`, () => {
    let gatehouse: Gatehouse;
    let app: ConnectedApp;
    let client: ToolClient;
    let chromium: Browser;
    let page: Page;
    let warnings: string[];
    let ended: object[];

    const listed = async () => {
      const { tools } = await client.ask<{ tools: Listed[] }>({ method: 'listTools' });
      return tools.filter(({ name }) => name.startsWith('page_'));
    };
    const names = async () => (await listed()).map(({ name }) => name);
    const offers = (...wanted: string[]) =>
      eventually(async () => expect(await names()).toEqual(wanted.toSorted()));
    const own = forms ? ['page_count', 'page_search'] : ['page_count'];
    const ran = () => page.evaluate<string[]>('ran');
    const textOf = async (name: string, input: object) => {
      const { answer } = await client.call(name, input);
      return [answer?.isError, answer?.content[0]?.text];
    };

    /** Opens a page of the site in a browser of its own, signed in or not. */
    const open = async (isSignedIn: boolean, body = PAGE) => {
      const context = await chromium.newContext();
      const [name = '', value = ''] = (app.browser.cookie ?? '').split('=');
      if (isSignedIn) await context.addCookies([{ name, value, url: gatehouse.origin }]);
      page = await context.newPage();
      [warnings, ended] = [[], []];
      page.on('console', (message) => {
        if (message.type() === 'warning') warnings.push(message.text());
      });
      await page.exposeFunction('heard', (call: object) => ended.push(call));
      if (script !== '') await page.addInitScript(script);
      await page.route(`${gatehouse.origin}/counter`, (route) =>
        route.fulfill({ contentType: 'text/html', body }),
      );
      await page.route(
        ({ pathname }) => pathname === '/frame',
        (route) => route.fulfill({ contentType: 'text/html', body: FRAME }),
      );
      await page.goto(`${gatehouse.origin}/counter`);
    };
    /** Runs code in the page, with imports from the client. */
    const run = <Result>(code: string) =>
      page.evaluate<Result>(
        `(async () => {
          const { bridgeTools, hub, registerTool } = await import('/svc/client.js'); ${code}
        })()`,
      );
    const openSignedIn = async () => {
      await open(true);
      await run(`hub.addEventListener('call', ({ detail }) => heard(detail));`);
      await offers(...own);
    };

    beforeAll(async () => {
      gatehouse = await startGatehouse();
      // A page that Playwright creates has no address, and may reach no address of this machine.
      chromium = await startChromium('--disable-features=LocalNetworkAccessChecks', ...args);
    });
    beforeEach(async () => {
      app = await ConnectedApp.connect(gatehouse);
      client = await ToolClient.start('2', gatehouse, app.token);
    });
    afterEach(async () => {
      await client.stop();
      await page.context().close();
    });
    afterAll(async () => {
      await chromium.close();
      await gatehouse.stop();
    });

    it('are listed, called, refused and cancelled (contract: Page client)', async () => {
      await openSignedIn();
      const tool = (await listed()).find(({ name }) => name === 'page_count');
      expect(tool).toMatchObject({
        title: 'Count (offered by a page)',
        annotations: { readOnlyHint: true, destructiveHint: false },
      });
      const { answer } = await client.call('page_count', { to: 3 });
      expect(answer?.structuredContent).toEqual({ value: { counted: 3 } });
      if (forms) {
        const found = (await client.call('page_search', { words: 'teal' })).answer;
        expect(found?.structuredContent).toEqual({ value: { found: 'teal' } });
      }
      expect(await textOf('page_count', { to: 'ten' })).toEqual([
        true,
        'These arguments do not fit: to takes an integer.',
      ]);
      const why = tells ? 'Call list_tasks first.' : 'the browser of the page does not say why.';
      expect(await textOf('page_count', { fail: true })).toEqual([
        true,
        expect.stringContaining(why),
      ]);

      const called = client.call('page_count', { wait: true });
      await eventually(async () => expect(await ran()).toHaveLength(3));
      client.cancel();
      expect((await called).answer).toBeUndefined();
      await eventually(() =>
        expect(ended.at(-1)).toEqual({
          app: expect.any(String),
          tool: 'count',
          input: { wait: true },
          outcome: 'cancelled',
        }),
      );
      expect(warnings.filter((text) => text.includes('Connected apps'))).toEqual([]);
    });

    it('have the hints and schemas that the browser tells (contract: Page client)', async () => {
      await openSignedIn();
      await page.evaluate(`
        add('pay', { annotations: { readOnlyHint: true, consequentialHint: true } });
        const outputSchema = {
          type: 'object', properties: { sum: { type: ['integer', 'null'] } }, required: ['sum'],
        };
        add('sum', { outputSchema }, () => ({ sum: 3 }));
        add('sums', { outputSchema }, () => ({ sum: 'three' }));`);
      await offers(...own, 'page_pay', 'page_sum', 'page_sums');
      const tools = new Map((await listed()).map((tool) => [tool.name, tool]));
      expect(tools.get('page_pay')?.annotations).toEqual({
        readOnlyHint: !hints,
        destructiveHint: hints,
        openWorldHint: false,
      });
      expect(tools.get('page_sum')?.outputSchema !== undefined).toBe(outputs);
      const { answer } = await client.call('page_sum', {});
      expect(answer?.structuredContent).toEqual({ value: { sum: 3 } });
      const misfit = 'its result does not fit its outputSchema: sum takes';
      expect(await textOf('page_sums', {})).toEqual(
        outputs
          ? [true, expect.stringContaining(misfit)]
          : [undefined, '{"value":{"sum":"three"}}'],
      );
    });

    it('come and go as the page changes them (contract: Page client)', async () => {
      await openSignedIn();
      await page.evaluate(`globalThis.here = add('later');`);
      await offers(...own, 'page_later');
      await page.evaluate('here.abort()');
      await offers(...own);
      expect(await textOf('page_later', {})).toEqual([
        true,
        expect.stringContaining('No open page of the user offers this tool'),
      ]);
    });

    it('leave the others where one of them cannot be offered (contract: Page client)', async () => {
      await openSignedIn();
      await page.evaluate(`
        add('bad', { inputSchema: { type: 'object', properties: { a: { type: 'text' } } } });
        add('co_unt');
        add('needs', { inputSchema: { type: 'object', required: ['a key'] } });
        add('later');`);
      // For a model, the second name is that of the first.
      await page.evaluate(`add('co.unt')`);
      await offers(...own, 'page_co_unt', 'page_later');
      const reasons = () => warnings.filter((text) => text.includes('Connected apps')).toSorted();
      await eventually(() =>
        expect(reasons()).toEqual([
          expect.stringMatching(/tool bad: .*inputSchema cannot be used/),
          expect.stringMatching(/tool co[._]unt: .* has the same name as co[._]unt/),
          expect.stringMatching(/tool needs: .*requires the property "a key"/),
        ]),
      );
      await page.evaluate(`for (let n = 100; n < 165; n += 1) add('t' + n);`);
      await eventually(async () => expect(await names()).toHaveLength(63));
      await eventually(() =>
        expect(reasons()).toContainEqual(expect.stringContaining('A page offers at most 64 tools')),
      );
      expect(await names()).toContain('page_count');
    });

    it('are those of its origin (contract: Page client)', async () => {
      await openSignedIn();
      const there = gatehouse.origin.replace('localhost', '127.0.0.1');
      const framed = `(origin, name) => new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.allow = 'tools';
        frame.src = origin + '/frame?name=' + name + '&to=' + location.origin;
        frame.addEventListener('load', resolve);
        document.body.append(frame);
      })`;
      if (frames === 'its own') {
        await page.evaluate(`(${framed})('${there}', 'foreign')`);
        await eventually(async () =>
          expect(
            await page.evaluate(
              `document.modelContext.getTools({ fromOrigins: ['${there}'] }).then((tools) => tools.map(({ name }) => name))`,
            ),
          ).toContain('foreign'),
        );
        await page.evaluate(`(${framed})(location.origin, 'framed')`);
      }
      if (frames === 'of a fake') {
        await page.evaluate(`for (const [name, origin] of [['foreign', '${there}'], ['framed', location.origin]]) {
          document.modelContext.registerAt({ origin }, { name, description: 'x', execute: () => 'framed' });
        }`);
      }
      await page.evaluate(`add('last')`);
      const ofFrame = frames === 'none' ? [] : ['page_framed'];
      await offers(...own, ...ofFrame, 'page_last');
      for (const name of ofFrame) {
        const { answer } = await client.call(name, {});
        expect(answer?.structuredContent).toEqual({ value: 'framed' });
      }
    });

    it.each(['first', 'last'])(
      'are offered once where registerTool comes %s (contract: Page client)',
      async (which) => {
        const register = `await registerTool({
          name: 'both', description: 'x', execute: (_input, { app }) => app
        });`;
        const tag = '<script type="module" src="/svc/bridge.js"></script>';
        if (which === 'last') await openSignedIn();
        else await open(true, PAGE.replace(tag, ''));
        await run(register);
        if (which === 'first') await run('await bridgeTools();');
        await offers(...own, 'page_both');
        await page.evaluate(`add('last')`);
        await offers(...own, 'page_both', 'page_last');
        const { answer } = await client.call('page_both', {});
        expect(answer?.structuredContent).toEqual({ value: expect.any(String) });
      },
    );

    it('do not run while no one is signed in (contract: Page client)', async () => {
      await open(false);
      await page.waitForLoadState('networkidle');
      expect(await run('return hub.state;')).toBe('closed');
      expect(await names()).toEqual([]);
      expect(await textOf('page_count', { to: 1 })).toEqual([
        true,
        expect.stringContaining('No open page'),
      ]);
      expect(await ran()).toEqual([]);
      await page.context().close();

      await openSignedIn();
      await run(`await fetch('/svc/auth/logout', { method: 'POST', body: '{}' });`);
      await eventually(async () => expect(await run('return hub.state;')).toBe('signed-out'));
      await offers();
      expect(await textOf('page_count', { to: 1 })).toEqual([
        true,
        expect.stringContaining('No open page'),
      ]);
      expect(await ran()).toEqual([]);
    });
  });
}
