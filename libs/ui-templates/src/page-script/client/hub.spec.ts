import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../../platform/src/testbed/eventually.testbed.js';
import type { PageTool, ToolCall } from './client-api.js';
import { PageHub } from './hub.js';
import { PageHubTestbed } from './hub.testbed.js';
import { ToolRegistry } from './tools.js';

const tool = { name: 'paint', description: 'Paints the page.', execute: () => null };
const named = (name: string) => ({ ...tool, name });

describe('PageHub', () => {
  let bed: PageHubTestbed;

  beforeEach(async () => {
    bed = new PageHubTestbed();
    await bed.start();
  });
  afterEach(() => bed.stop());
  afterEach(() => void jest.restoreAllMocks());

  /** How long it waits is random, and may be less than a look at its state. */
  const comesBack = () =>
    eventually(() =>
      expect(bed.told('state')).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']),
    );

  it('says hello after each welcome, as it was described', async () => {
    await bed.opened();
    expect(await bed.hears('hello')).toEqual([
      { title: 'x'.repeat(200), url: 'http://localhost/' },
    ]);
    bed.hub.describe({ title: 'Kitchen' });
    bed.connections[0]?.close(1001);
    const hellos = await bed.hears('hello', 3);
    expect(hellos[2]).toEqual({ title: 'Kitchen', url: 'http://localhost/' });
    expect(bed.told('state')).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open']);
  });

  it('knows its id and the tabs as long as it is connected', async () => {
    await bed.opened();
    expect([bed.hub.tabId, bed.hub.tabs]).toEqual(['own', [{ id: 'own' }]]);
    bed.say('tabs', { tabs: [{ id: 'own' }, { id: 'other' }] });
    bed.say('message', { from: 'other', body: 1 });
    bed.say('account', { type: 'passkey-added', at: 1 });
    bed.say('new', {});
    bed.say('__proto__', {});
    await bed.settle();
    expect(bed.hub.tabs).toHaveLength(2);
    expect(bed.told('message')).toEqual([{ from: 'other', body: 1 }]);
    expect(bed.told('account')).toEqual([{ type: 'passkey-added', at: 1 }]);
    bed.hub.close();
    expect([bed.hub.tabId, bed.hub.tabs, bed.hub.state]).toEqual([undefined, [], 'closed']);
  });

  it('knows what apps ask of the person as long as it is connected', async () => {
    const request = { id: 'a', app: 'Painter', title: 'Paint', passkey: false, expiresAt: 1 };
    expect(bed.hub.requests).toEqual([]);
    await bed.opened();
    bed.say('requests', { requests: [] });
    await bed.settle();
    expect(bed.told('requests')).toEqual([]);
    bed.say('requests', { requests: [request] });
    await bed.settle();
    expect(bed.hub.requests).toEqual([request]);
    bed.say('requests', { requests: [] });
    bed.say('requests', { requests: [request] });
    await bed.settle();
    bed.connections[0]?.close(4401);
    await bed.is('signed-out');
    expect(bed.hub.requests).toEqual([]);
    expect(bed.told('requests')).toEqual([[request], [], [request], []]);
  });

  it('opens one connection, however often it is told to', async () => {
    bed.hub.open();
    bed.hub.open();
    await bed.is('open');
    bed.hub.open();
    bed.hub.hurry();
    await bed.settle();
    expect(bed.connections).toHaveLength(1);
  });

  it.each([
    [4401, 'signed-out'],
    [4429, 'too-many-tabs'],
  ] as const)('stays away after %i until it is told to come back', async (code, state) => {
    await bed.opened();
    bed.connections[0]?.close(code);
    await bed.is(state);
    bed.hub.hurry();
    expect(bed.hub.state).toBe(state);
    await bed.opened();
    expect(bed.connections).toHaveLength(2);
  });

  it.each([1001, 1009, 1011, 1013, 4408])('comes back after %i', async (code) => {
    await bed.opened();
    bed.connections[0]?.close(code);
    await comesBack();
    expect(bed.connections.length).toBeGreaterThan(1);
  });

  it('asks who is signed in before it comes back, and stays away when no one is', async () => {
    const answers = [
      async () => 'ann',
      () => Promise.reject(new Error('offline')),
      async () => 'ann',
      async () => null,
    ];
    bed.account = () => answers.shift()?.() ?? Promise.resolve('ann');
    bed.greet = (connection) => connection.terminate();
    bed.hub.open();
    await bed.is('signed-out');
    expect([bed.connections.length, answers.length]).toEqual([2, 0]);
  });

  it.each([
    ['lost', () => bed.connections.at(-1)?.terminate()],
    ['left', () => (bed.hub.pause(), bed.hub.hurry())],
  ])('does not come back by itself for another account once it was %s', async (_, leave) => {
    await bed.opened();
    leave();
    await comesBack();
    bed.account = async () => 'bob';
    leave();
    await bed.is('signed-out');
    bed.hub.hurry();
    expect([bed.hub.state, bed.connections.length]).toEqual(['signed-out', 2]);
    await bed.opened();
    leave();
    await eventually(() => expect(bed.connections).toHaveLength(4));
  });

  it('belongs to the account for which it comes back, if it was not told at first', async () => {
    bed.account = () => Promise.reject(new Error('overloaded'));
    await bed.opened();
    bed.account = async () => 'ann';
    bed.connections[0]?.terminate();
    await comesBack();
    bed.account = async () => 'bob';
    bed.connections[1]?.terminate();
    await bed.is('signed-out');
    expect(bed.connections).toHaveLength(2);
  });

  it('is away while its page is left, and comes back once', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    await bed.opened();
    const closed = once(bed.connections[0] ?? bed.server, 'close');
    bed.hub.pause();
    await closed;
    expect([bed.hub.state, bed.hub.tabId, bed.connections.length]).toEqual([
      'waiting',
      undefined,
      1,
    ]);
    bed.hub.hurry();
    bed.hub.hurry();
    await bed.is('open');
    await bed.settle();
    expect(bed.connections).toHaveLength(2);
    bed.hub.close();
    bed.hub.pause();
    bed.hub.hurry();
    expect(bed.hub.state).toBe('closed');
  });

  it('does not come back while its page is left again, whatever it asked before', async () => {
    await bed.opened();
    bed.hub.pause();
    let tell: (account: string) => void = () => undefined;
    bed.account = () => new Promise((resolve) => (tell = resolve));
    bed.hub.hurry();
    bed.hub.pause();
    tell('ann');
    bed.account = async () => 'bob';
    bed.hub.hurry();
    await bed.is('signed-out');
    expect(bed.connections).toHaveLength(1);
  });

  it('begins no call whose time was over before it was read, by the clock of the hub', async () => {
    const ran: unknown[] = [];
    await bed.tools.register({ ...tool, execute: (input) => void ran.push(input) });
    bed.greet = () => bed.welcome([{ id: 'own', connectedAt: '2001-01-01T00:01:00.000Z' }]);
    await bed.opened();
    await bed.offers('paint');
    const call = { app: 'Painter', method: 'paint' };
    bed.say('request', {
      ...call,
      id: 'a',
      params: { n: 1 },
      expiresAt: '2001-01-01T00:00:50.000Z',
    });
    bed.say('request', {
      ...call,
      id: 'b',
      params: { n: 2 },
      expiresAt: '2001-01-01T01:00:00.000Z',
    });
    await bed.settle();
    expect(ran).toEqual([{ n: 2 }]);
    expect((await bed.hears('result')).map(({ id }) => id)).not.toContain('a');
  });

  it('begins no call, and connects again, when its machine slept until its time was over', async () => {
    const ran: unknown[] = [];
    await bed.tools.register({ ...tool, execute: (input) => void ran.push(input) });
    bed.greet = () => bed.welcome([{ id: 'own', connectedAt: '2001-01-01T00:01:00.000Z' }]);
    await bed.opened();
    await bed.offers('paint');
    const call = {
      id: 'a',
      app: 'Painter',
      method: 'paint',
      expiresAt: '2001-01-01T00:02:00.000Z',
    };
    const awake = Date.now() + 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => awake);
    bed.say('request', { ...call, params: { n: 1 } });
    await comesBack();
    await bed.offers('paint');
    bed.say('request', { ...call, params: { n: 2 } });
    await bed.settle();
    expect([ran, bed.connections.length]).toEqual([[{ n: 2 }], 2]);
  });

  it('asks again for which account it was opened, once it is welcomed', async () => {
    bed.account = () => Promise.reject(new Error('overloaded'));
    bed.greet = () => {
      bed.account = async () => 'ann';
      bed.welcome();
    };
    await bed.opened();
    await bed.settle();
    bed.account = async () => 'bob';
    bed.connections[0]?.terminate();
    await bed.is('signed-out');
    expect(bed.connections).toHaveLength(1);
  });

  it('takes a service that answers no upgrade for one that comes back', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hub = new PageHub(new ToolRegistry(() => undefined), {
      openSocket: () => new WebSocket(`ws://127.0.0.1:${port}`),
      account: async () => 'ann',
      about: () => ({ title: '', url: '' }),
    });
    const waited = new Promise((resolve) =>
      hub.addEventListener('state', ({ detail }) => detail === 'waiting' && resolve(detail)),
    );
    hub.open();
    expect(await waited).toBe('waiting');
    hub.close();
    server.close();
  });

  it('sends to one or all, and knows how many got it', async () => {
    await bed.opened();
    const sent = bed.hub.send({ any: 'json' });
    const [frame] = await bed.hears('send');
    expect(frame).toEqual({ to: '*', body: { any: 'json' }, id: expect.any(String) });
    bed.say('ack', { id: frame?.['id'], delivered: 3 });
    expect(await sent).toBe(3);
    const refused = bed.hub.send(1, 'gone');
    await bed.hears('send', 2);
    bed.say('error', { code: 'unknown_tab', message: 'no such tab' });
    await expect(refused).rejects.toThrow('no such tab');
    const lost = bed.hub.send(1);
    bed.connections[0]?.close(1001);
    await expect(lost).rejects.toThrow('is lost');
    await expect(bed.hub.send(1)).rejects.toThrow('no connection');
    expect(bed.told('error')).toEqual([]);
  });

  it('reports as an event what the hub refused when no call waits for it', async () => {
    await bed.opened();
    bed.say('error', { code: 'rate_limited', message: 'slower' });
    await bed.settle();
    expect(bed.told('error')).toEqual([{ code: 'rate_limited', message: 'slower' }]);
  });

  it('offers its tools after each welcome, and nothing when there are none', async () => {
    await bed.opened();
    await bed.settle();
    expect(bed.heard.map(({ event }) => event)).toEqual(['hello', 'result']);
    await bed.tools.register(tool);
    expect(await bed.hears('tools')).toEqual([
      { tools: [{ name: 'paint', description: tool.description }] },
    ]);
    bed.connections[0]?.close(1001);
    const lists = await bed.hears('tools', 2);
    expect(lists[1]).toEqual(lists[0]);
  });

  it('tells of many changes at once, and of none that came to nothing', async () => {
    await bed.opened();
    const here = new AbortController();
    for (let n = 0; n < 50; n += 1) {
      await bed.tools.register(named(`t${n}`), n > 0 ? { signal: here.signal } : {});
    }
    expect((await bed.hears('tools'))[0]?.['tools']).toHaveLength(50);
    here.abort();
    expect((await bed.hears('tools', 2))[1]?.['tools']).toHaveLength(1);
    const soon = new AbortController();
    await bed.tools.register(named('soon'), { signal: soon.signal });
    soon.abort();
    await bed.tools.register(named('last'));
    expect((await bed.hears('tools', 3))[2]?.['tools']).toHaveLength(2);
  });
});

const APP = 'Painter';

describe('calls of the tools of a page', () => {
  let bed: PageHubTestbed;

  beforeEach(async () => {
    bed = new PageHubTestbed();
    await bed.start();
    await bed.opened();
  });
  afterEach(() => bed.stop());

  const offer = async (execute: PageTool['execute'], change: Partial<PageTool> = {}) => {
    await bed.tools.register({
      name: 'paint',
      description: 'Paints the page.',
      execute,
      ...change,
    });
    await bed.offers('paint');
  };
  const request = (id: string, method = 'paint', params: unknown = { colour: 'teal' }) =>
    bed.say('request', { id, app: APP, method, params, expiresAt: '' });
  const resultOf = async (method?: string, params?: unknown) => {
    const count = bed.heard.filter(({ event }) => event === 'result').length;
    request('r', method, params);
    return (await bed.hears('result', count + 1))[count];
  };

  /** A call that runs until the spec ends it. */
  async function underWay(id = 'r') {
    let call: ToolCall | undefined;
    let finish: (value: unknown) => void = () => {};
    let fail: (error: unknown) => void = () => {};
    await offer((_input, given) => {
      call = given;
      return new Promise((resolve, reject) => ([finish, fail] = [resolve, reject]));
    });
    request(id);
    const begun = await eventually(() => {
      if (!call) throw new Error('not called');
      return call;
    });
    return { call: begun, finish, fail };
  }

  it.each([
    ['what the tool returns', () => ({ done: true }), { done: true }],
    ['what it resolves to', async () => 7, 7],
    ['MCP content as it is', () => ({ content: [{ type: 'text', text: 'x' }] }), undefined],
    ['nothing as null', () => undefined, null],
  ])('are answered with %s', async (_what, execute, value) => {
    await offer(execute);
    expect(await resultOf()).toEqual({
      id: 'r',
      ok: true,
      value: value === undefined ? execute() : value,
    });
    expect(bed.told('call')).toEqual([
      { app: APP, tool: 'paint', input: { colour: 'teal' }, outcome: 'done' },
    ]);
  });

  it.each<[string, PageTool['execute'], string]>([
    ['an error', () => Promise.reject(new Error('Say which.')), 'Say which.'],
    ['a text', () => Promise.reject('no'), 'no'],
    ['a value that is no JSON', () => ({ big: 1n }), 'BigInt'],
    ['a result that no frame holds', () => 'ä'.repeat(33_000), 'larger than 64 KiB'],
    ['progress that is no number', (_input, { progress }) => progress(NaN), 'finite number'],
    ['progress of no number', (_input, { progress }) => progress(1, Infinity), 'finite number'],
  ])('are refused with the words of %s', async (_what, execute, words) => {
    await offer(execute);
    const result = await resultOf();
    expect(result).toEqual({ id: 'r', ok: false, error: expect.stringContaining(words) });
    expect(bed.told('call')).toMatchObject([{ outcome: 'refused', error: result?.['error'] }]);
    await bed.settle();
  });

  it('of a tool that is not there are told which are', async () => {
    expect((await resultOf('constructor'))?.['error']).toMatch(/no such tool. It has none/);
    await offer(() => null);
    expect((await resultOf('__proto__'))?.['error']).toMatch(/no such tool. It has: paint\./);
  });

  it('are refused until the hub has acted on the list with that tool, since it checks only these', async () => {
    const pings: unknown[] = [];
    bed.answerPing = (data) => pings.push(data);
    const actsOn = (at: number) => bed.say('pong', pings.at(at));
    const here = new AbortController();
    const paint = { name: 'paint', description: 'Paints the page.', execute: () => 'mild' };
    await bed.tools.register(paint, { signal: here.signal });
    expect(await resultOf()).toMatchObject({ ok: false });
    await bed.hears('ping');
    bed.say('pong', undefined);
    bed.say('pong', { list: 'x' });
    expect(await resultOf()).toMatchObject({ ok: false });
    actsOn(0);
    expect(await resultOf()).toMatchObject({ value: 'mild' });

    // One of the same name, which the hub does not know yet, and then another beside it.
    here.abort();
    await bed.tools.register({
      ...paint,
      inputSchema: { type: 'object' },
      execute: () => 'strict',
    });
    expect(await resultOf()).toMatchObject({ ok: false });
    await bed.hears('ping', 2);
    await bed.tools.register(named('other'));
    await bed.hears('ping', 3);
    actsOn(0);
    expect(await resultOf()).toMatchObject({ ok: false });
    actsOn(1);
    expect(await resultOf()).toMatchObject({ value: 'strict' });
    expect(await resultOf('other')).toMatchObject({ ok: false });
    actsOn(2);
    expect(await resultOf('other')).toMatchObject({ ok: true });

    bed.connections[0]?.close(1001);
    await bed.hears('ping', 4);
    expect(await resultOf()).toMatchObject({ ok: false });
    actsOn(3);
    expect(await resultOf()).toMatchObject({ value: 'strict' });
  });

  it('stay refused where a list went while the hub had the tool no longer', async () => {
    await offer(() => 'first');
    bed.answerPing = () => undefined;
    const here = new AbortController();
    await bed.tools.register(named('other'), { signal: here.signal });
    await bed.hears('ping', 2);
    expect(await resultOf()).toMatchObject({ value: 'first' });
    here.abort();
    await bed.hears('ping', 3);
    await bed.tools.register(named('other'));
    await bed.hears('ping', 4);
    bed.say('pong', { list: 2 });
    expect(await resultOf('other')).toMatchObject({ ok: false });
    expect(await resultOf()).toMatchObject({ value: 'first' });
  });

  it.each([
    ['data.tools takes too long; send less', 'bad_message'],
    ['slow down', 'rate_limited'],
  ])('are refused where the list may have been, which is sent again: %s', async (message, code) => {
    bed.answerPing = (data) => {
      if (bed.heard.filter(({ event }) => event === 'tools').length === 1)
        bed.say('error', { code, message });
      bed.say('pong', data);
    };
    await bed.tools.register(named('paint'));
    await bed.hears('ping');
    expect(await resultOf()).toMatchObject({ ok: false });
    await bed.hears('ping', 2);
    await bed.offers('paint');
  });

  it('get an object, whatever the app says', async () => {
    await offer((input) => input);
    expect(await resultOf('paint', null)).toMatchObject({ ok: true, value: {} });
    for (const params of [7, 'x', []])
      expect(await resultOf('paint', params)).toMatchObject({ ok: false });
  });

  it('tell their progress: the last of it, few at a time, and none when they are over', async () => {
    const { call, finish } = await underWay();
    for (let done = 1; done <= 100; done += 1) call.progress(done, 100, 'x'.repeat(300));
    const said = await bed.hears('progress', 2);
    expect(said).toEqual([
      { id: 'r', progress: 1, total: 100, message: 'x'.repeat(200) },
      { id: 'r', progress: 100, total: 100, message: 'x'.repeat(200) },
    ]);
    call.progress(101);
    finish(null);
    await bed.hears('result');
    call.progress(102);
    await bed.settle();
    const events = bed.heard.map(({ event }) => event);
    expect(events.lastIndexOf('progress')).toBeLessThan(events.indexOf('result'));
  });

  it('are aborted when the caller cancels, and are not answered then', async () => {
    const { call, finish } = await underWay();
    bed.say('cancel', { id: 'other' });
    bed.say('cancel', { id: 'r' });
    await eventually(() => expect(call.signal.aborted).toBe(true));
    expect(call.signal.reason).toMatchObject({ name: 'AbortError' });
    call.progress(1);
    finish('late');
    await eventually(() =>
      expect(bed.told('call')).toMatchObject([{ tool: 'paint', outcome: 'cancelled' }]),
    );
    await bed.settle();
    expect(bed.heard.filter(({ data }) => data?.['id'] === 'r')).toEqual([]);
  });

  it('that are answered after the caller stopped waiting are no error to the page', async () => {
    const sent = bed.hub.send('to another tab');
    const [frame] = await bed.hears('send');
    bed.say('error', { code: 'bad_message', message: 'no request of that id waits', id: 'r' });
    bed.say('ack', { id: frame?.['id'], delivered: 1 });
    expect(await sent).toBe(1);
    expect(bed.told('error')).toEqual([]);
  });

  it('end with the connection that they came over', async () => {
    const { call, fail } = await underWay();
    bed.connections[0]?.close(1001);
    await eventually(() => expect(call.signal.aborted).toBe(true));
    fail(call.signal.reason);
    await bed.is('open');
    await bed.settle();
    expect(bed.heard.filter(({ data }) => data?.['id'] === 'r')).toEqual([]);
  });

  it('leave the others where the hub refuses one, until the next connection', async () => {
    await bed.opened();
    for (const name of ['paint', 'bad'])
      await bed.tools.register({ name, description: 'x', execute: () => name });
    const listed = (lists: readonly Record<string, unknown>[]) =>
      lists.map(({ tools }) => (tools as { name: string }[]).map(({ name }) => name));
    expect(listed(await bed.hears('tools'))).toEqual([['paint', 'bad']]);
    const sent = bed.hub.send('to another tab');
    const [frame] = await bed.hears('send');
    const error = { code: 'bad_message', message: 'data.tools[1] cannot be used', tool: 'bad' };
    bed.say('error', error);
    expect(listed(await bed.hears('tools', 2))[1]).toEqual(['paint']);
    expect(await resultOf('bad')).toMatchObject({ ok: false });
    bed.say('error', { code: 'unlisted', message: 'no model takes it', tool: 'paint' });
    bed.say('ack', { id: frame?.['id'], delivered: 1 });
    expect(await sent).toBe(1);
    expect(bed.told('error')).toEqual([
      error,
      { code: 'unlisted', message: 'no model takes it', tool: 'paint' },
    ]);
    await bed.settle();
    expect(await bed.hears('tools')).toHaveLength(2);
    bed.connections[0]?.close(1001);
    expect(listed(await bed.hears('tools', 3))[2]).toEqual(['paint', 'bad']);
  });

  it('are offered where they took the place of one that the hub refuses meanwhile', async () => {
    bed.answerPing = () => undefined;
    await bed.opened();
    const here = new AbortController();
    const paint = { name: 'paint', execute: () => null };
    await bed.tools.register({ ...paint, description: 'bad' }, { signal: here.signal });
    await bed.hears('tools');
    here.abort();
    await bed.tools.register({ ...paint, description: 'good' });
    bed.say('error', { code: 'bad_message', message: 'cannot be used', tool: 'paint' });
    const [, second] = await bed.hears('tools', 2);
    expect(second).toEqual({ tools: [{ name: 'paint', description: 'good' }] });
  });

  it('go on when their tool is given up', async () => {
    const here = new AbortController();
    let finish: (value: unknown) => void = () => {};
    let isAborted = () => true;
    const execute: PageTool['execute'] = (_input, { signal }) => {
      isAborted = () => signal.aborted;
      return new Promise((resolve) => (finish = resolve));
    };
    await bed.tools.register({ name: 'paint', description: 'x', execute }, { signal: here.signal });
    await bed.offers('paint');
    request('r');
    await eventually(() => expect(isAborted()).toBe(false));
    here.abort();
    finish('done');
    expect(await bed.hears('result')).toEqual([{ id: 'r', ok: true, value: 'done' }]);
  });
});
