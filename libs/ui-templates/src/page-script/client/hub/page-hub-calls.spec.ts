import type { PageTool, ToolCall } from '../client-api.js';
import { eventually } from '../../../../../../test/support/eventually.js';
import { PageHubTestbed } from './page-hub.testbed.js';

const APP = 'Painter';

describe('calls of the tools of a page', () => {
  let bed: PageHubTestbed;

  beforeEach(async () => {
    bed = new PageHubTestbed();
    await bed.start();
    await bed.opened();
  });
  afterEach(() => bed.stop());

  const offer = (execute: PageTool['execute'], name = 'paint') =>
    bed.tools.register({ name, description: 'Paints the page.', execute });
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

  it('hear that nobody waits any more, and are not answered then', async () => {
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

  it('that are answered as nobody waits any more are no error to the page', async () => {
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

  it('go on when their tool is given up', async () => {
    const here = new AbortController();
    let finish: (value: unknown) => void = () => {};
    let isAborted = () => true;
    const execute: PageTool['execute'] = (_input, { signal }) => {
      isAborted = () => signal.aborted;
      return new Promise((resolve) => (finish = resolve));
    };
    await bed.tools.register({ name: 'paint', description: 'x', execute }, { signal: here.signal });
    request('r');
    await eventually(() => expect(isAborted()).toBe(false));
    here.abort();
    finish('done');
    expect(await bed.hears('result')).toEqual([{ id: 'r', ok: true, value: 'done' }]);
  });
});
