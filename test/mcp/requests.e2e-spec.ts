import { eventually } from '#libs/platform/testing';
import { Admin } from '../support/admin.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { MachineClient, MACHINES } from '../support/machine-client.js';
import {
  answerRequest,
  type Asked,
  done,
  newText,
  notes,
  oneRequest,
  openRequests,
  refuseLater,
} from './asking.js';
import { ConnectedApp, type ToolAnswer } from './connected-app.js';

const WRITE = 'notes:write';

describe('calls that a person decides about (contract: Requests)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(MACHINES, undefined, [notes]));
  let app: ConnectedApp;

  const open = () => openRequests(app.browser);
  const asked = () => oneRequest(app.browser);
  const answer = (decision: string) => answerRequest(app.browser, decision);
  const ran = (text: string) => done.filter((each) => each === text).length;
  const text = newText;
  /** A call whose client goes away; resolves when its person is asked. */
  const askedAlone = async (name: string, args: object): Promise<Asked> => {
    const stop = new AbortController();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const params = { name, arguments: args };
    const call = app.sendText(JSON.stringify({ ...message, params }), stop.signal);
    const request = await asked();
    stop.abort();
    await expect(call).rejects.toThrow();
    return request;
  };
  const outcome = async (sent: Promise<{ json: <T>() => T }>) => {
    const { result, error } = (await sent).json<{
      result?: ToolAnswer;
      error?: { message: string };
    }>();
    return result ?? error?.message;
  };

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse, ['account:read']);
  });

  it.each([
    ['once', 'once', 'off'],
    ['always', 'always', 'allow'],
  ])('run when the person allows them %s, with the same token', async (decision, state, after) => {
    const [one, next] = [text(), text()];
    const call = app.have('note', { text: one });
    const { id, ...request } = await asked();
    const now = Math.floor(Date.now() / 1000);
    expect(request).toEqual({
      connection: expect.any(String),
      app: 'Test App',
      published: null,
      kind: 'permission',
      scope: WRITE,
      method: 'tools/call',
      name: 'note',
      title: 'Title of note',
      page: null,
      arguments: { text: one },
      truncated: false,
      passkey: false,
      createdAt: expect.any(Number),
      expiresAt: Number(request['createdAt']) + 600,
      state: 'open',
    });
    expect(Math.abs(now - Number(request['createdAt']))).toBeLessThan(60);
    expect(ran(one)).toBe(0);
    const decided = await app.browser.post(`/svc/me/requests/${id}`, { decision });
    const ended = { ...request, id, state, arguments: null };
    expect([decided.status, decided.json()]).toEqual([200, { request: ended }]);
    expect(await call).toEqual({ text: one });
    expect([ran(one), await open()]).toEqual([1, []]);
    const found = await app.browser.get(`/svc/me/requests/${id}`);
    expect(found.json()).toEqual({ request: ended });
    const { connections } = (await app.browser.get('/svc/me/connections')).json<{
      connections: { permissions: Record<string, string> }[];
    }>();
    expect(connections[0]?.permissions[WRITE]).toBe(after);
    if (after === 'off') await askedAlone('note', { text: next });
    else await app.have('note', { text: next });
  });

  it('are refused when the person says no, for a scope that is off whatever the arguments', async () => {
    const [one, other] = [text(), text()];
    const call = app.refusal('note', { text: one });
    await answer('no');
    const refused = 'Ann said no to this. Do not try it again unless they ask for it.';
    expect(await call).toBe(refused);
    expect(await app.refusal('note', { text: other })).toBe(refused);
    await app.change({ permissions: { [WRITE]: 'ask' } });
    expect(await app.refusal('note', { text: one })).toBe(refused);
    expect((await askedAlone('note', { text: other })).kind).toBe('call');
    expect([ran(one), ran(other)]).toEqual([0, 0]);
  });

  it('that were allowed once after a no to another run when they are made again', async () => {
    const stop = new AbortController();
    const [refused, allowed] = [text(), text()];
    const calls = [refused, allowed].map((one) => {
      const params = { name: 'note', arguments: { text: one } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return app.sendText(JSON.stringify(message), stop.signal);
    });
    const requests = await eventually(async () => {
      const found = await open();
      expect(found).toHaveLength(2);
      return found;
    });
    stop.abort();
    await Promise.allSettled(calls);
    const idOf = (one: string) =>
      requests.find(
        ({ arguments: given }) => JSON.stringify(given) === JSON.stringify({ text: one }),
      )?.id;
    await answerRequest(app.browser, 'no', idOf(refused));
    await answerRequest(app.browser, 'once', idOf(allowed));
    expect(await app.have('note', { text: allowed })).toEqual({ text: allowed });
    expect(ran(refused)).toBe(0);
  });

  it('are asked about each time where the permission is ask, also where the app may not ask for more', async () => {
    await app.change({ permissions: { [WRITE]: 'ask' }, mayAsk: false });
    for (const one of [text(), text()]) {
      const call = app.have('note', { text: one });
      expect(await asked()).toMatchObject({ kind: 'call', arguments: { text: one } });
      await answer('once');
      expect(await call).toEqual({ text: one });
    }
    const { status } = await app.send('tools/call', { name: 'list_tabs', arguments: {} });
    expect(status).toBe(403);
    const call = app.have('note', { text: text() });
    await answer('always');
    await call;
    await app.have('note', { text: text() });
  });

  it('that were allowed once while their client was away run when it makes the same call again, once', async () => {
    const one = text();
    await askedAlone('note', { text: one, n: 10, of: { a: 1, b: [] } });
    expect(await open()).toHaveLength(1);
    await answer('once');
    expect(ran(one)).toBe(0);
    await askedAlone('note', { text: `${one}.`, n: 10, of: { a: 1, b: [] } });
    await answer('no');
    await app.change({ permissions: { [WRITE]: 'ask' } });
    const same = `{"n":1e1,"of":{"b":[],"a":1.0},"text":"${one}"}`;
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note","arguments":${same}}}`;
    const again = (await app.sendText(message)).json<{ result: ToolAnswer }>();
    expect(again.result.structuredContent).toEqual({ text: one });
    expect([ran(one), await open()]).toEqual([1, []]);
    await askedAlone('note', { text: one, n: 10, of: { a: 1, b: [] } });
  });

  it('that are the same are one request: one runs, the others learn that it was allowed once', async () => {
    const one = text();
    const calls = Promise.all(Array.from({ length: 5 }, () => app.call('note', { text: one })));
    await asked();
    await answer('once');
    const sentences = (await refuseLater(app.browser, calls)).flatMap(({ isError, content }) =>
      isError ? content.map((each) => each.text) : [],
    );
    expect(ran(one)).toBe(1);
    expect(sentences).toHaveLength(4);
    expect(sentences.join()).toContain('Ann allowed this once');
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['may not ask any more', () => app.change({ mayAsk: false }), /ended without an answer/],
    ['is paused', () => app.change({ paused: true }), /ended without an answer/],
    [
      'is disconnected',
      async () => {
        const { connection } = await asked();
        const { status } = await app.browser.send('DELETE', `/svc/me/apps/${connection}`);
        if (status !== 204) throw new Error(`not disconnected: ${status}`);
      },
      /ended without an answer/,
    ],
    [
      'is ended by an administrator',
      async () => {
        const { connection } = await asked();
        await new Admin(gatehouse).run('apps', 'revoke', String(connection), '--yes');
      },
      /ended without an answer/,
    ],
  ])('wait no longer when the app %s', async (_what, end, sentence) => {
    const one = text();
    const call = app.refusal('note', { text: one });
    const { id } = await asked();
    await end();
    expect(await call).toMatch(sentence);
    expect(ran(one)).toBe(0);
    expect(await open()).toEqual([]);
    const late = await app.browser.post(`/svc/me/requests/${id}`, { decision: 'once' });
    expect(late.status).toBe(409);
  });

  it('that wait run when the permission is set to allow meanwhile', async () => {
    const one = text();
    const call = app.have('note', { text: one });
    const { id } = await asked();
    await app.change({ permissions: { [WRITE]: 'allow' } });
    expect(await call).toEqual({ text: one });
    const { request } = (await app.browser.get(`/svc/me/requests/${id}`)).json<{
      request: Asked;
    }>();
    expect(request.state).toBe('always');
  });

  it('of a paused app are refused with a reason, while lists go on', async () => {
    await app.change({ paused: true });
    expect(await app.refusal('account_status')).toContain('Ann has paused this app');
    const read = app.send('resources/read', { uri: 'notes://all' });
    expect(await outcome(read)).toContain('Ann has paused this app');
    const got = app.send('prompts/get', { name: 'summary' });
    expect(await outcome(got)).toContain('Ann has paused this app');
    expect((await app.send('tools/list')).text).toContain('"note"');
    expect(await open()).toEqual([]);
    await app.change({ paused: false });
    await app.have('account_status');
  });

  it.each([
    ['resources/read', { uri: 'notes://all' }, 'notes://all', 'Title of notes', 'all notes'],
    ['prompts/get', { name: 'summary' }, 'summary', 'Title of summary', 'a summary'],
  ])('%s: are asked about too, and refused by an error', async (...given) => {
    const [method, params, name, title, contents] = given;
    const call = app.send(method, params);
    expect(await asked()).toMatchObject({ method, name, title, arguments: {} });
    await answer('once');
    expect((await call).text).toContain(contents);
    const refused = outcome(app.send(method, params));
    await answer('no');
    expect(await refused).toContain('Ann said no');
  });

  it('of a tool with confirm are asked about with every permission, each time, with a passkey', async () => {
    await app.change({ permissions: { [WRITE]: 'allow' } });
    const one = text();
    expect(await askedAlone('publish', { text: one })).toMatchObject({
      kind: 'call',
      passkey: true,
    });
    const refused = await app.browser.post(`/svc/me/requests/${(await asked()).id}`, {
      decision: 'once',
    });
    expect(refused.status).toBe(403);
    await answer('no');
    expect([ran(one), await app.refusal('publish', { text: one })]).toEqual([
      0,
      expect.stringContaining('said no'),
    ]);
  });

  it('of machines are refused: 403 without the scope, and with a sentence where each needs a yes', async () => {
    const admin = new Admin(gatehouse, [{ gatehouse: 1, ...notes }], MACHINES);
    const call = async (scope: string) => {
      const machine = await MachineClient.create(gatehouse, admin, [scope]);
      const { access_token: token } = (await machine.issue()).json<{ access_token: string }>();
      return machine.mcp(token, 'tools/call', { name: 'publish', arguments: { text: 'machine' } });
    };
    expect((await call('code:run')).status).toBe(403);
    expect(await outcome(call(WRITE))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('needs a yes of a person') }],
    });
    expect(ran('machine')).toBe(0);
  });

  it('that could not run, or whose content is not allowed, are asked about by none', async () => {
    const misfit = await app.refusal('note', { text: 7 });
    expect(misfit).toMatch(/^These arguments do not fit: /);
    expect(await app.refusal('note', { text: 'fuck' })).toContain('does not allow');
    const got = app.send('prompts/get', { name: 'summary', arguments: { strange: 'x' } });
    expect(await outcome(got)).toContain('do not fit');
    const unknown = app.send('resources/read', { uri: 'notes://none' });
    expect(await outcome(unknown)).toContain('no such resource');
    expect(await open()).toEqual([]);
  });

  it('of a batch ask nobody; those that need no yes run', async () => {
    const one = text();
    const message = (id: number, params: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params,
    });
    const messages = [
      message(0, { name: 'note', arguments: { text: one } }),
      message(1, { name: 'account_status', arguments: {} }),
    ];
    const answers = (await app.sendText(JSON.stringify(messages))).json<
      { id: number; result: ToolAnswer }[]
    >();
    const [asking, status] = answers.toSorted((a, b) => a.id - b.id);
    expect(asking?.result).toMatchObject({ isError: true });
    expect(asking?.result.content[0]?.text).toContain('not in a batch');
    expect(status?.result.isError).toBeUndefined();
    expect([ran(one), await open()]).toEqual([0, []]);
  });

  it('beyond 5 open ones are told to wait, until one is answered', async () => {
    const stop = new AbortController();
    const calls = Array.from({ length: 5 }, (_, n) => {
      const params = { name: 'note', arguments: { text: `${n}` } };
      const message = { jsonrpc: '2.0', id: n, method: 'tools/call', params };
      return app.sendText(JSON.stringify(message), stop.signal).catch(() => undefined);
    });
    await eventually(async () => expect(await open()).toHaveLength(5));
    const full = `Ann has not answered earlier requests yet. Wait for that, or ask them to open ${gatehouse.origin}/svc/account, then call again.`;
    expect(await app.refusal('note', { text: 'a sixth' })).toBe(full);
    const newest = (await open()).map(({ createdAt }) => Number(createdAt));
    expect(newest).toEqual(newest.toSorted((a, b) => b - a));
    await answerRequest(app.browser, 'no', (await open())[0]?.id);
    stop.abort();
    await Promise.all(calls);
  });

  it('that wait take none of the 32 slots of their account, and get one for their work', async () => {
    const [one, stop] = [text(), new AbortController()];
    const params = { name: 'note', arguments: { text: one } };
    const message = (id: number) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const calls = Array.from({ length: 40 }, (_, n) => app.sendText(message(n), stop.signal));
    await eventually(async () => expect(await open()).toHaveLength(1));
    await eventually(async () => {
      const answers = Array.from({ length: 8 }, () => app.send('tools/list'));
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
    });
    await answer('once');
    const statuses = (await refuseLater(app.browser, Promise.all(calls))).map(
      ({ status }) => status,
    );
    // Those of the 40 that came while 32 others were not waiting yet.
    expect(new Set([...statuses, 429])).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(32);
    expect(ran(one)).toBe(1);
    await app.have('account_status');
  });

  it('that wait are charged within the daily credits that their app has by then', async () => {
    await app.change({ permissions: { 'code:run': 'ask' }, dailyCredits: 1_000 });
    const call = app.refusal('run_code', { code: '1' });
    const { id } = await oneRequest(app.browser);
    await app.change({ dailyCredits: 0 });
    await answerRequest(app.browser, 'once', id);
    expect(await call).toContain("this app's daily budget");
    expect(await app.used()).toBe(0);
  });

  it('charge nothing while they wait, and count in the daily credits of their app then', async () => {
    await app.change({ dailyCredits: 0 });
    const call = app.refusal('run_code', { code: 'return 1' });
    await asked();
    expect(await app.used()).toBe(0);
    await answer('once');
    expect(await call).toContain('credits');
  });
});
