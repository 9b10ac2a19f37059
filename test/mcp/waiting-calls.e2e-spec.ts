import { setTimeout } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { SecurityEventsService } from '#libs/accounts';
import { BudgetService } from '#libs/budget';
import { ScreeningService } from '#libs/code-runner';
import { SchemaChecks, SHORT_WAIT_MS } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { TabsService } from '#libs/tab-hub';
import { OfferedToolsService } from '../../apps/server/src/tools/pages/offered-tools.service.js';
import { changeConnection } from '../support/connection.js';
import { useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { answerRequest } from './asking.js';
import { ConnectedApp } from './connected-app.js';

const CHANGED = 'What this app may do was changed while the call waited, so nothing was done.';
const UNTOLD =
  'What this app may do was changed while the call was under way. It may have been done; how it ended is not told.';

const ACT = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } };

/** Each takes the scopes of tabs and of code away. */
const CHANGES: readonly [string, (app: ConnectedApp) => Promise<unknown>][] = [
  [
    'is disconnected',
    async ({ browser }) => {
      const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
      return browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`);
    },
  ],
  ['is paused', ({ browser }) => changeConnection(browser, { paused: true })],
  [
    'may do less',
    ({ browser }) => {
      const permissions = { 'tabs:read': 'off', 'tabs:write': 'off', 'code:run': 'off' };
      return changeConnection(browser, { permissions, mayAsk: false });
    },
  ],
];

/** Makes the next `method` take long, and `change` while it does. */
function changeDuring<T extends object>(
  service: T,
  method: keyof T & string,
  change: () => Promise<unknown>,
): void {
  const real = (service[method] as (...args: unknown[]) => unknown).bind(service);
  const slow = async (...args: unknown[]) => {
    spy.mockRestore();
    const result = await real(...args);
    await Promise.all([change(), setTimeout(SHORT_WAIT_MS + 5)]);
    return result;
  };
  const spy = jest.spyOn(service as Record<string, () => unknown>, method);
  spy.mockImplementation(slow);
}

describe.each(CHANGES)(
  'a call that waits while its app %s (contract: Connections)',
  (what, change) => {
    const gatehouse = useGatehouse();
    let app: ConnectedApp;
    let tab: TabClient;

    beforeEach(async () => {
      app = await ConnectedApp.connect(gatehouse);
      tab = await TabClient.open(gatehouse, app.browser);
      tab.say('tools', { tools: [ACT] });
      await tab.settle();
      // Its tools are screened now.
      await app.have('list_tabs');
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await tab.close();
    });

    it.each([
      ['send_message', { body: 'hello' }],
      ['call_tab', { method: 'act', params: {} }],
      ['page_act', {}],
    ])('%s does not reach the page', async (name, args) => {
      const heard: string[] = [];
      tab.socket.on('message', (raw) => heard.push(String(raw)));
      const target = name === 'call_tab' ? { ...args, tab: tab.id } : args;
      changeDuring(gatehouse.app.get(ScreeningService, { strict: false }), 'checkJson', () =>
        change(app),
      );
      expect(await app.refusal(name, target)).toBe(CHANGED);
      await tab.settle();
      expect(heard.filter((text) => /"event":"(request|message)"/.test(text))).toEqual([]);
    });

    it('call_tab of a tab that has closed tells nothing of others', async () => {
      changeDuring(
        gatehouse.app.get(ScreeningService, { strict: false }),
        'checkJson',
        async () => {
          await change(app);
          await tab.close();
        },
      );
      expect(await app.refusal('call_tab', { tab: tab.id, method: 'act', params: {} })).toBe(
        UNTOLD,
      );
    });

    it('page_act costs nothing where it waited before it was screened', async () => {
      changeDuring(gatehouse.app.get(SchemaChecks, { strict: false }), 'mismatch', () =>
        change(app),
      );
      expect(await app.refusal('page_act')).toBe(CHANGED);
      expect(await app.used()).toBe(0);
    });

    it('send_message costs nothing where it waited before it was screened', async () => {
      changeDuring(gatehouse.app.get(TabsService, { strict: false }), 'find', () => change(app));
      const sent = { tab: tab.id, body: 'hello' };
      expect(await app.refusal('send_message', sent)).toBe(CHANGED);
      expect(await app.used()).toBe(0);
    });

    it('page_act that its page refuses may have been done, and is recorded as refused by the page', async () => {
      const details: unknown[] = [];
      gatehouse.app
        .get(SecurityEventsService, { strict: false })
        .listen(({ type, detail }) => type === 'tool-called' && details.push(detail));
      const called = app.refusal('page_act');
      const { id } = await tab.next('request');
      await Promise.all([change(app), setTimeout(SHORT_WAIT_MS + 5)]);
      tab.say('result', { id, ok: false, error: 'the receipt could not be written' });
      expect(await called).toBe(UNTOLD);
      expect(details).toEqual(['page_*: refused (refused by its code)']);
    });

    it('run_code does not run, and costs no more than its screening', async () => {
      changeDuring(gatehouse.app.get(ScreeningService, { strict: false }), 'check', () =>
        change(app),
      );
      expect(await app.refusal('run_code', { code: '1 + 1' })).toBe(CHANGED);
      expect(await app.used()).toBe(1);
    });

    it('list_tabs tells nothing of the pages', async () => {
      changeDuring(gatehouse.app.get(OfferedToolsService, { strict: false }), 'read', () =>
        change(app),
      );
      expect(await app.refusal('list_tabs')).toBe(CHANGED);
    });

    it('account_status tells nothing of the account', async () => {
      changeDuring(gatehouse.app.get(BudgetService, { strict: false }), 'find', async () => {
        await change(app);
        if (what === 'may do less') {
          await changeConnection(app.browser, { permissions: { 'account:read': 'off' } });
        }
      });
      expect(await app.refusal('account_status')).toBe(CHANGED);
    });

    it('resources/read tells nothing of a page', async () => {
      changeDuring(gatehouse.app.get(OfferedToolsService, { strict: false }), 'find', () =>
        change(app),
      );
      const answer = await app.send('resources/read', { uri: `tabs://${tab.id}` });
      expect(answer.json()).toMatchObject({ error: { message: CHANGED } });
    });

    it('tools/list tells nothing of the pages', async () => {
      changeDuring(gatehouse.app.get(OfferedToolsService, { strict: false }), 'read', () =>
        change(app),
      );
      const { text } = await app.send('tools/list');
      if (what !== 'is paused') expect(text).not.toContain('page_act');
      expect((await app.send('tools/list')).text.includes('page_act')).toBe(what === 'is paused');
    });
  },
);

describe('a call that its person allowed once, and that waits (contract: Requests)', () => {
  const gatehouse = useGatehouse();
  const off = { permissions: { 'code:run': 'off' } };
  let app: ConnectedApp;

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    await changeConnection(app.browser, { permissions: { 'code:run': 'ask' } });
  });
  afterEach(() => jest.restoreAllMocks());

  const runWhile = async (...changes: object[]) => {
    changeDuring(gatehouse.app.get(ScreeningService, { strict: false }), 'check', async () => {
      for (const change of changes) await changeConnection(app.browser, change);
    });
    const running = app.send('tools/call', { name: 'run_code', arguments: { code: '1 + 1' } });
    await answerRequest(app.browser, 'once');
    return (await running).text;
  };

  it.each([
    ['its scope is turned off', [off]],
    ['its scope is turned off and on again', [off, { permissions: { 'code:run': 'allow' } }]],
    ['its app is paused and goes on', [{ paused: true }, { paused: false }]],
  ])('does not run after %s', async (_what, changes) => {
    expect(await runWhile(...changes)).toContain(CHANGED);
  });

  it('runs after a change that leaves it allowed', async () => {
    const change = { permissions: { 'code:run': 'allow', 'tabs:write': 'off' } };
    expect(await runWhile(change)).toContain('"value":2');
  });
});

describe('a call that waits while its app gets other daily credits (contract: Connections)', () => {
  const gatehouse = useGatehouse();

  it('is charged within these', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const params = { name: 'run_code', arguments: { code: 'for (;;) {}', timeoutMs: 2_000 } };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const stop = new AbortController();
    const before = Promise.allSettled([1, 2].map(async () => app.sendText(message, stop.signal)));
    // Each has taken what it may cost.
    await eventually(async () => expect(await app.used()).toBeGreaterThan(400));
    const waiting = app.refusal('run_code', { code: '1 + 1' });
    await changeConnection(app.browser, { dailyCredits: 0 });
    stop.abort();
    expect(await waiting).toContain('daily');
    await before;
  });
});

describe('a call that waits while its token ends (contract: Connections)', () => {
  const gatehouse = useGatehouse();
  afterEach(() => jest.restoreAllMocks());

  it('goes on: it ends with its connection', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const endTokens = () => gatehouse.app.get(DataSource).query('DELETE FROM oauth_tokens');
    changeDuring(gatehouse.app.get(ScreeningService, { strict: false }), 'check', endTokens);
    expect(await app.have('run_code', { code: '1 + 1' })).toMatchObject({ value: 2 });
  });
});
