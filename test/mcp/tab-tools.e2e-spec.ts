import { useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

describe('tools for tabs (contract: Tools)', () => {
  const gatehouse = useGatehouse();
  let app: ConnectedApp;
  let opened: TabClient[];

  const open = async (of = app) => {
    const tab = await TabClient.open(gatehouse, of.browser);
    opened.push(tab);
    return tab;
  };
  /** The request that reaches the tab, to be answered by its id. */
  const asked = (tab: TabClient) => tab.next<{ id: string }>('request');

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((tab) => tab.close())));

  it('show models what they are for', async () => {
    const { result } = (await app.send('tools/list')).json<{
      result: { tools: { name: string; title: string; annotations: object }[] };
    }>();
    const shown = result.tools.map(({ name, title, annotations }) => [name, title, annotations]);
    const local = { openWorldHint: false };
    expect(shown).toEqual(
      expect.arrayContaining([
        ['list_tabs', 'List open tabs', { readOnlyHint: true, ...local }],
        [
          'send_message',
          'Send a message to tabs',
          { readOnlyHint: false, destructiveHint: false, ...local },
        ],
        [
          'call_tab',
          'Call a method of a tab',
          { readOnlyHint: false, destructiveHint: true, ...local },
        ],
      ]),
    );
  });

  it('are listed for apps that may call them or ask for it, in every version', async () => {
    const reader = await ConnectedApp.connect(gatehouse, ['account:read', 'tabs:read']);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const expectNames = async (expected: readonly string[]) => {
      const texts = [
        (await reader.send('tools/list')).text,
        // A batch, as in revision 2025-03-26.
        (await reader.sendText(JSON.stringify([list, { ...list, id: 2 }]))).text,
      ];
      for (const text of texts) {
        const names = [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
        expect(new Set(names)).toEqual(new Set(expected));
      }
    };
    const allowed = ['account_status', 'list_tabs'];
    await expectNames([...allowed, 'send_message', 'call_tab', 'run_code']);
    await reader.change({ permissions: { 'tabs:read': 'ask' } });
    await reader.change({ mayAsk: false });
    await expectNames(allowed);
  });

  it('need their scopes where their app may not ask for them, and say which', async () => {
    const reader = await ConnectedApp.connect(gatehouse, ['account:read']);
    await reader.change({ mayAsk: false });
    const needed = {
      list_tabs: 'account:read tabs:read',
      send_message: 'account:read tabs:write',
      call_tab: 'account:read tabs:write',
    };
    for (const [name, scope] of Object.entries(needed)) {
      const answer = await reader.send('tools/call', { name, arguments: {} });
      expect(answer.status).toBe(403);
      expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
      expect(answer.headers['www-authenticate']).toContain(`scope="${scope}"`);
    }
  });

  describe('list_tabs', () => {
    it("lists the user's own tabs, the oldest first", async () => {
      expect(await app.have('list_tabs')).toEqual({ tabs: [] });
      const stranger = await ConnectedApp.connect(gatehouse);
      await open(stranger);
      const first = await open();
      const second = await open();
      first.say('hello', { title: 'Charts', url: 'http://localhost/charts' });
      await second.until(() => second.tabs.some(({ title }) => title === 'Charts'), 'title');
      const connectedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const shown = [
        { id: first.id, title: 'Charts', url: 'http://localhost/charts', connectedAt, tools: [] },
        { id: second.id, title: '', url: '', connectedAt, tools: [] },
      ];
      // Two that connect in one millisecond are in the order of their ids.
      const isTie = new Set(second.tabs.map((tab) => tab.connectedAt)).size === 1;
      const tabs = isTie ? shown.toSorted((one, other) => (one.id < other.id ? -1 : 1)) : shown;
      expect(await app.have('list_tabs')).toEqual({ tabs });
    });
  });

  describe('send_message', () => {
    it('reaches one tab, or all of them', async () => {
      const [one, other] = [await open(), await open()];
      const body = { text: 'hello', list: [1, null, 'two'] };
      expect(await app.have('send_message', { tab: one.id, body })).toEqual({ delivered: 1 });
      expect(await one.next('message')).toEqual({ from: null, app: 'Test App', body });
      await other.settle();
      expect(other.received('message')).toEqual([]);
      expect(await app.have('send_message', { body: 'all' })).toEqual({ delivered: 2 });
      for (const tab of [one, other]) await tab.next('message', ({ body: said }) => said === 'all');
    });

    it('reaches no tab, and costs nothing, when no tab is open', async () => {
      await open(await ConnectedApp.connect(gatehouse));
      expect(await app.have('send_message', { body: 'hello' })).toEqual({ delivered: 0 });
      expect(await app.used()).toBe(0);
    });
  });

  describe('call_tab', () => {
    it('returns what the tab answers', async () => {
      const tab = await open();
      const call = app.have('call_tab', { tab: tab.id, method: 'paint', params: { colour: 1 } });
      const request = await asked(tab);
      expect(request).toMatchObject({ app: 'Test App', method: 'paint', params: { colour: 1 } });
      tab.say('result', { id: request.id, ok: true, value: { painted: ['all'] } });
      expect(await call).toEqual({ value: { painted: ['all'] } });
    });

    it('goes without params and without a value', async () => {
      const tab = await open();
      const call = app.have('call_tab', { tab: tab.id, method: 'reload' });
      const request = await asked(tab);
      expect(request).toMatchObject({ params: null });
      tab.say('result', { id: request.id, ok: true });
      expect(await call).toEqual({ value: null });
    });

    it('tells why the tab refused', async () => {
      const tab = await open();
      const call = app.refusal('call_tab', { tab: tab.id, method: 'fly' });
      tab.say('result', { id: (await asked(tab)).id, ok: false, error: 'no "fly" here' });
      expect(await call).toMatch(/refused the call .* data .*: "no \\"fly\\" here"$/);
    });

    it('tells that the tab was too slow', async () => {
      const tab = await open();
      const sentence = await app.refusal('call_tab', {
        tab: tab.id,
        method: 'wait',
        timeoutMs: 50,
      });
      expect(sentence).toMatch(/within 50 ms.*timeoutMs/);
    });

    it('tells that the tab went away meanwhile', async () => {
      const tab = await open();
      const call = app.refusal('call_tab', { tab: tab.id, method: 'leave', timeoutMs: 30_000 });
      await asked(tab);
      await tab.close();
      expect(await call).toMatch(/closed before it answered.*list_tabs/);
    });
  });

  describe('arguments', () => {
    it('that name no tab of the user are refused for nothing', async () => {
      await open();
      const foreign = await open(await ConnectedApp.connect(gatehouse));
      for (const tab of ['no-such-tab', foreign.id, '*', '__proto__']) {
        for (const [name, rest] of [
          ['send_message', { body: 'hello' }],
          ['call_tab', { method: 'm' }],
        ] as const) {
          expect(await app.refusal(name, { tab, ...rest })).toMatch(/no open tab .* list_tabs/);
        }
      }
      await foreign.settle();
      expect([...foreign.received('message'), ...foreign.received('request')]).toEqual([]);
      expect(await app.used()).toBe(0);
    });

    it.each([
      [
        'call_tab',
        { tab: 'x', method: 'm', timeoutMs: 30_001 },
        'timeoutMs takes an integer from 1 to 30000',
      ],
      ['call_tab', { tab: 'x' }, 'method is missing; it takes a string of 1 to 128 characters'],
      ['send_message', { tab: '', body: 1 }, 'tab takes a string of 1 to 128 characters'],
    ])('of %s that do not fit are named, with what is taken: %j', async (name, args, words) => {
      expect(await app.refusal(name, args)).toBe(`These arguments do not fit: ${words}.`);
    });

    it('that are too large are refused for nothing', async () => {
      const tab = await open();
      for (const body of ['x'.repeat(61_439), 'é'.repeat(30_720)]) {
        const sentences = [
          await app.refusal('send_message', { body }),
          await app.refusal('call_tab', { tab: tab.id, method: 'm', params: body }),
        ];
        for (const sentence of sentences) expect(sentence).toMatch(/does not fit: .*send less/);
      }
      expect(await app.used()).toBe(0);
    });

    it('that are too deep are refused with the whole body', async () => {
      await open();
      const sendNested = (levels: number) => {
        const body: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels));
        return app.send('tools/call', { name: 'send_message', arguments: { body } });
      };
      const [just, over] = [await sendNested(97), await sendNested(98)];
      expect(just.text).toContain('"delivered":1');
      expect(over.status).toBe(400);
      expect(over.json()).toMatchObject({ id: null, error: { code: -32_600 } });
    });

    it('may be as large as a frame', async () => {
      const tab = await open();
      const body = 'x'.repeat(61_438);
      expect(await app.have('send_message', { body })).toEqual({ delivered: 1 });
      expect(await tab.next('message')).toMatchObject({ body });
      expect(await app.used()).toBe(62);
    });
  });
});
