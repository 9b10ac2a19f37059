import { Receiver } from '../events/receiver.js';
import { CodeApp } from '../mcp/code-app.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Admin } from '../support/admin.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, useReplicas } from '../support/gatehouse.js';
import { startSchemaChecks } from '../support/schema-checks.js';
import { TabClient } from '../support/tab-client.js';
import { auditRows } from './audit-rows.js';

describe('audit trail of calls of tools', () => {
  let receiver: Receiver;
  let gatehouse: Gatehouse;
  let app: CodeApp;
  let userId: string;

  const calls = async () =>
    (await auditRows(gatehouse, { user: userId })).filter(({ type }) => type === 'tool-called');

  beforeAll(async () => {
    receiver = await Receiver.start();
    gatehouse = await startAdministered(receiver.variables);
  });
  beforeEach(async () => {
    app = await CodeApp.connect(gatehouse);
    userId = (await app.browser.me()).user?.id ?? '';
  });
  afterAll(async () => {
    await gatehouse.stop();
    receiver.stop();
  });

  it('has tool, outcome and cost, and no argument', async () => {
    const { structured } = await app.run({ code: 'return "my secret"', timeoutMs: 1000 });
    await app.run({ code: '', timeoutMs: 1000 });
    const [done, refused] = await eventually(() => {
      const told = receiver.of(userId).filter(({ type }) => type === 'tool-called');
      expect(told).toHaveLength(2);
      return told.map(({ data }) => data);
    });
    expect([done?.detail, refused?.detail]).toEqual([
      'run_code: done',
      'run_code: refused (bad arguments)',
    ]);
    expect([done?.credits, refused?.credits]).toEqual([structured?.creditsUsed, 0]);
    expect(done?.durationMs).toBeGreaterThanOrEqual(0);
    expect(done).toMatchObject({
      app: 'Test App',
      reason: null,
      origin: gatehouse.origin,
      grant: refused?.grant,
    });
    expect(done?.client).toEqual(expect.any(String));
    expect(JSON.stringify([done, refused, await calls()])).not.toContain('secret');
  });

  it('is summed up for each app and tool, on the command line and over HTTP', async () => {
    await app.run({ code: 'return 1', timeoutMs: 100 });
    await app.run({ code: '' });
    await app.run({ code: '' });
    const [row] = await eventually(async () => {
      const rows = await calls();
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(3);
      return rows;
    });
    const api = new AdminApi(gatehouse);
    const expected = {
      items: [
        {
          client: row?.client,
          app: 'Test App',
          kind: 'tool',
          name: 'run_code',
          calls: 3,
          refused: 2,
          failed: 0,
          credits: expect.any(Number),
          durationMs: expect.any(Number),
          lastAt: expect.stringMatching(/Z$/),
        },
      ],
      next: null,
    };
    for (const by of [`user=${userId}`, `client=${row?.client}&since=1h`]) {
      const query = new URLSearchParams(by);
      expect(await api.json('GET', `usage?${query}`)).toEqual(expected);
      const options = [...query].map(([name, value]) => `--${name}=${value}`);
      expect(await new Admin(gatehouse).json('usage', 'list', ...options)).toEqual(expected);
    }
    const longAgo = new URLSearchParams({ user: userId, since: '2020-01-01T00:00:00Z' });
    expect(await api.json('GET', `usage?${longAgo}`)).toEqual(expected);
    for (const query of ['', `?user=${userId}&client=x`, '?user=']) {
      expect((await api.get(`usage${query}`)).status).toBe(400);
    }
    expect(await api.json('GET', 'usage?user=nobody')).toEqual({ items: [], next: null });
  });

  it('has one row for those of a grant that are alike', async () => {
    const codes = Array.from({ length: 20 }, (_, n) => ({ code: '', input: n }));
    await Promise.all(codes.map((code) => app.run(code)));
    await app.run({ code: 'return 1', timeoutMs: 100 });
    await eventually(async () => {
      const found = (await calls()).map(({ detail }) => detail);
      expect(found).toEqual(['run_code: refused (bad arguments)', 'run_code: done']);
    });
  });
});

describe('audit trail of calls as their person knows them', () => {
  const [here, there] = useReplicas((replicaOf) => startAdministered({}, replicaOf));
  let app: ConnectedApp;
  let tab: TabClient;

  beforeAll(async () => startSchemaChecks(here));
  beforeEach(async () => {
    app = await ConnectedApp.connect(here);
    tab = await TabClient.open(here, app.browser);
    tab.say('hello', { title: 'Shop\u202e', url: 'https://shop.example:8443/cart?id=secret' });
    const description = 'Adds to the cart.';
    tab.say('tools', { tools: [{ name: 'cart.add', title: 'Add to cart', description }] });
    await tab.settle();
  });
  afterEach(() => tab.close());

  const SHOP = { page: 'shop.example:8443', pageTitle: 'Shop' };
  const NO_PAGE = { page: null, pageTitle: null };

  /** Answers each request of the tab. */
  async function calling(work: () => Promise<unknown>) {
    const asked = tab.received('request').length;
    const done = work();
    await tab.until(() => tab.received('request').length > asked, 'request');
    const { data } = tab.received('request').at(-1) ?? {};
    tab.say('result', { id: data?.['id'], ok: true, value: 'my secret' });
    await done;
  }

  const rowsOnce = (count: number) =>
    eventually(async () => {
      const user = (await app.browser.me()).user?.id ?? '';
      const rows = (await auditRows(here, { user })).filter(({ type }) => type === 'tool-called');
      expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(count);
      return rows;
    });

  it('has the name and title that a page gave its tool, and that page', async () => {
    const add = { name: 'cart.add', title: 'Add to cart (offered by a page)', ...SHOP };
    await calling(() => app.have('page_cart_add'));
    await calling(() => app.have('call_tab', { tab: tab.id, method: 'cart.add' }));
    await calling(() => app.have('call_tab', { tab: tab.id, method: 'other' }));
    await app.have('send_message', { tab: tab.id, body: 1 });
    await app.have('send_message', { body: 1 });
    await app.have('list_tabs');
    await app.refusal('page_gone');
    await app.send('resources/read', { uri: `tabs://${tab.id}` });
    const kind = 'tool';
    const rows = await rowsOnce(8);
    expect(rows).toMatchObject([
      { kind, tool: 'page_*', outcome: 'done', ...add },
      { kind, tool: 'call_tab', outcome: 'done', ...add },
      { kind, tool: 'call_tab', name: 'call_tab', title: 'Call a method of a tab', ...SHOP },
      { kind, name: 'send_message', title: 'Send a message to tabs', ...SHOP },
      { kind, name: 'send_message', title: 'Send a message to tabs', ...NO_PAGE },
      { kind, name: 'list_tabs', title: 'List open tabs', ...NO_PAGE },
      { kind, tool: 'page_*', name: 'page_*', outcome: 'refused', ...NO_PAGE },
      { kind: 'resource', tool: 'resource tab', name: 'tab', title: 'An open tab', ...SHOP },
    ]);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('has them within seconds, from every replica', async () => {
    for (const at of [here, there]) {
      for (let n = 0; n < 3; n += 1) await app.at(at).have('account_status');
    }
    const rows = await rowsOnce(6);
    expect(rows).toHaveLength(globalThis.STORAGE === 'embedded' ? 1 : 2);
  });
});
