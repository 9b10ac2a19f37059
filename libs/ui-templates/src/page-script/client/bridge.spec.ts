import { eventually } from '../../../../platform/src/testbed/eventually.testbed.js';
import { type FakeModelContext, fakeModelContext } from '../../testbed/model-context.testbed.js';
import { ToolBridge } from './bridge.js';
import type { ModelContext } from './tools.js';
import { ToolRegistry } from './tools.js';

const PAINT = {
  name: 'paint',
  title: 'Paint',
  description: 'Paints the page.',
  inputSchema: { type: 'object', properties: { colour: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, consequentialHint: true },
  execute: ({ colour }: Record<string, unknown>): unknown => ({ colour }),
};
const { execute: _execute, ...DESCRIBED } = PAINT;
const schemaOf = (bytes: number) => {
  const empty = JSON.stringify({ type: 'object', title: '' }).length;
  return { type: 'object', title: 'x'.repeat(bytes - empty) };
};

describe.each([159, 160] as const)('ToolBridge in a browser as Chrome %i', (version) => {
  const page = { origin: 'https://site.test' };
  const frame = { origin: page.origin };
  let browser: FakeModelContext;
  let tools: ToolRegistry;
  let bridge: ToolBridge;
  let warnings: string[];

  const add = (change: object = {}, signal?: AbortSignal) =>
    browser.registerTool({ ...PAINT, ...change }, signal ? { signal } : {});
  const names = () => tools.list().map(({ name }) => name);
  const has = (...wanted: string[]) => eventually(() => expect(names()).toEqual(wanted));
  const call = async (input: object, name = 'paint', signal = new AbortController().signal) => {
    tools.check(tools.list());
    const execute = tools.find(name);
    if (!execute) throw new Error('not offered');
    return execute(input, { app: 'Robot', signal, progress: () => undefined });
  };

  beforeEach(() => {
    browser = fakeModelContext(version, page);
    const context = () => browser as unknown as ModelContext;
    tools = new ToolRegistry(context);
    bridge = new ToolBridge(tools, context, page);
    warnings = [];
    jest.spyOn(console, 'warn').mockImplementation((warning: string) => {
      warnings.push(warning);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it('offers what the page registered, as it is', async () => {
    await add();
    await add({
      name: 'bare',
      title: undefined,
      inputSchema: undefined,
      outputSchema: undefined,
      annotations: undefined,
    });
    await expect(bridge.follow()).resolves.toBe(true);
    const annotations = { ...PAINT.annotations, untrustedContentHint: false };
    expect(tools.list()).toEqual([
      { ...DESCRIBED, annotations },
      { name: 'bare', description: PAINT.description },
    ]);
    expect(warnings).toEqual([]);
  });

  it('offers none before it is asked to', async () => {
    await add();
    expect([names(), bridge.isFollowing]).toEqual([[], false]);
    await bridge.follow();
    expect([names(), bridge.isFollowing]).toEqual([['paint'], true]);
  });

  it('follows what the page registers and gives up', async () => {
    await bridge.follow();
    const here = new AbortController();
    await add({ name: 'first' }, here.signal);
    await add();
    await has('first', 'paint');
    await expect(call({}, 'first')).resolves.toBeDefined();
    here.abort();
    await has('paint');
    expect(tools.find('first')).toBeUndefined();
  });

  it('asks once more after all changes that come while the browser answers', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const read = browser.getTools.bind(browser);
    browser.getTools = async () => {
      const found = await read();
      await asked;
      return found;
    };
    const following = bridge.follow();
    let changes = 0;
    browser.addEventListener('toolchange', () => (changes += 1));
    for (let n = 0; n < 20; n += 1) await add({ name: `t${n}` });
    await eventually(() => expect(changes).toBe(20));
    answer();
    await following;
    expect([names().length, browser.reads]).toEqual([20, 2]);
  });

  it.each([
    { annotations: { consequentialHint: true } },
    { inputSchema: { type: 'object', required: ['amount'] } },
  ])('does not run what took the place of a tool a moment ago: %j', async (change) => {
    const ran: string[] = [];
    const here = new AbortController();
    await add({ annotations: undefined, execute: () => ran.push('first') }, here.signal);
    await bridge.follow();
    here.abort();
    const there = new AbortController();
    const second = { annotations: undefined, ...change, execute: () => ran.push('second') };
    void add(second, there.signal);
    await expect(call({})).rejects.toThrow('has just changed this tool');
    there.abort();
    await expect(call({})).rejects.toThrow('has just changed this tool');
    void add({ annotations: undefined, execute: () => ran.push('third') });
    await call({});
    expect(ran).toEqual(['third']);
  });

  it.each([[{ a: ['ä', null] }], [null], [7], [true], ['a text']])(
    'calls it, and has its result %j',
    async (result) => {
      const asked: unknown[] = [];
      await add({ execute: (input: unknown) => (asked.push(input), result) });
      await bridge.follow();
      const input = JSON.parse('{"colour":"teal","toString":"x","__proto__":{"a":1}}') as object;
      await expect(call(input)).resolves.toEqual(result);
      await call({ colour: 'red' });
      expect(asked).toEqual([input, { colour: 'red' }]);
    },
  );

  it('tells why a tool failed, as far as the browser does', async () => {
    await add({
      execute: () => {
        throw new Error('Call list_tasks first.');
      },
    });
    await bridge.follow();
    const untold = 'The tool failed, and the browser of the page does not say why.';
    await expect(call({})).rejects.toThrow(version === 159 ? untold : 'Call list_tasks first.');
  });

  it('hands on that a call was cancelled', async () => {
    const seen: unknown[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    await add({
      execute: (_input: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => seen.push(signal.reason));
          begin();
        }),
    });
    await bridge.follow();
    const here = new AbortController();
    const called = call({}, 'paint', here.signal);
    await begun;
    here.abort(new Error('enough'));
    await expect(called).rejects.toThrow('enough');
    expect(seen).toEqual([here.signal.reason]);
    await expect(call({}, 'paint', here.signal)).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });

  it('offers tools of frames of its origin, and of no other', async () => {
    browser.registerAt(frame, { ...PAINT, name: 'framed', execute: () => 'frame' });
    browser.registerAt({ origin: 'https://other.test' }, { ...PAINT, name: 'foreign' });
    browser.registerAt({ origin: 'null' }, { ...PAINT, name: 'sandboxed' });
    browser.registerAt(frame, { ...PAINT, execute: () => 'frame' });
    await add();
    await bridge.follow();
    expect(names()).toEqual(['paint', 'framed']);
    await expect(call({ colour: 'red' })).resolves.toEqual({ colour: 'red' });
    await expect(call({}, 'framed')).resolves.toBe('frame');
    await add({ name: 'more' });
    await has('paint', 'more', 'framed');
    expect(warnings).toEqual([
      'Connected apps are not offered the tool paint: A tool paint is registered already.',
    ]);
  });

  it.each<[string, object, string]>([
    ['a name with a space', { name: 'a name' }, 'The name of a tool has 1 to 128'],
    ['a name as of another for a model', { name: 'pa.int' }, 'has the same name as pa_int'],
    ['a long description', { name: 'x', description: 'x'.repeat(2001) }, 'more than 2000'],
    ['a long title', { name: 'x', title: 'x'.repeat(201) }, 'more than 200'],
    ['a schema without a type', { name: 'x', inputSchema: {} }, 'of type "object"'],
    ['a large schema', { name: 'x', inputSchema: schemaOf(8193) }, 'more than 8 KiB'],
    ['a list as a schema', { name: 'x', outputSchema: [] }, 'outputSchema of x has to be'],
  ])('leaves out what has %s, with one warning', async (_what, change, why) => {
    await add({ name: 'pa_int' });
    await add(change);
    await bridge.follow();
    await add({ name: 'more' });
    await has('pa_int', 'more');
    expect(warnings).toEqual([expect.stringContaining(why)]);
  });

  it('leaves out the 65th tool, and what is beyond 48 KiB', async () => {
    for (let n = 0; n < 65; n += 1) await add({ name: `t${n}` });
    await bridge.follow();
    expect(names()).toHaveLength(64);
    expect(warnings).toEqual([expect.stringContaining('t64: A page offers at most 64 tools.')]);
    await tools.register({ name: 'own', description: 'x', execute: () => 1 });
    await eventually(() => expect(names().slice(0, 2)).toEqual(['own', 't0']));
    expect(names()).toHaveLength(64);
  });

  describe('beside registerTool', () => {
    const own = { ...PAINT, execute: () => 'own' };

    it.each(['registerTool', 'the bridge'])(
      'offers a tool once where %s comes first',
      async (first) => {
        const heard: string[][] = [];
        tools.onChange = () => heard.push(names());
        if (first === 'the bridge') await bridge.follow();
        await tools.register(own);
        await bridge.follow();
        await add({ name: 'more' });
        await has('paint', 'more');
        await expect(call({})).resolves.toBe('own');
        for (const list of heard) expect(new Set(list).size).toBe(list.length);
        expect(warnings).toEqual([]);
      },
    );

    it('gives up both at once when the signal says so', async () => {
      const here = new AbortController();
      await tools.register(own, { signal: here.signal });
      await bridge.follow();
      here.abort();
      expect([names(), tools.find('paint')]).toEqual([[], undefined]);
      await add({ name: 'more' });
      await has('more');
    });

    it('keeps what the page registered with the browser first', async () => {
      await add();
      await bridge.follow();
      await expect(tools.register(own)).rejects.toMatchObject({ name: 'InvalidStateError' });
      expect(names()).toEqual(['paint']);
      await expect(call({ colour: 'red' })).resolves.toEqual({ colour: 'red' });
    });

    it('offers nothing of a tool while registerTool asks the browser for it', async () => {
      await bridge.follow();
      let take = () => {};
      const asked = new Promise<void>((resolve) => (take = resolve));
      const register = browser.registerTool.bind(browser);
      browser.registerTool = async (...given) => {
        await register(...given);
        await asked;
      };
      const registered = tools.register(own);
      const { reads } = browser;
      await eventually(() => expect(browser.reads).toBeGreaterThan(reads));
      expect(names()).toEqual([]);
      take();
      await registered;
      expect(names()).toEqual(['paint']);
    });
  });

  it('asks the filter, which a later one replaces', async () => {
    const asked: unknown[] = [];
    await add();
    await add({ name: 'bare', annotations: undefined });
    await bridge.follow({ filter: (...about) => asked.push(about) > 1 });
    const annotations = { ...PAINT.annotations, untrustedContentHint: false };
    expect(asked).toEqual([
      ['paint', annotations],
      ['bare', {}],
    ]);
    expect(names()).toEqual(['bare']);
    await bridge.follow({ filter: (name) => name === 'paint' });
    expect(names()).toEqual(['paint']);
    await bridge.follow();
    expect(names()).toEqual(['paint', 'bare']);
    expect(warnings).toEqual([]);
  });

  it('offers nothing while a filter fails, or the browser tells nothing', async () => {
    await add();
    const filter = () => {
      throw new Error('mine');
    };
    await bridge.follow({ filter });
    expect(names()).toEqual([]);
    browser.getTools = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    await expect(bridge.follow()).resolves.toBe(false);
    expect(names()).toEqual([]);
    expect(warnings).toEqual([
      'Connected apps are not offered the tool paint: mine',
      'Connected apps are not offered the tools of this page: no',
    ]);
  });

  it('leaves out what the hub refused until the next connection, and says so', async () => {
    await add();
    await add({ name: 'bad' });
    await tools.register({ name: 'own', description: 'x', execute: () => 1 });
    await bridge.follow();
    const error = { code: 'bad_message', message: 'data.tools[1] cannot be used' };
    for (const tool of ['bad', 'own', 'gone']) tools.refuse({ ...error, tool });
    expect(names()).toEqual(['paint']);
    tools.refuse({ code: 'unlisted', message: 'no model takes it', tool: 'paint' });
    expect(names()).toEqual(['paint']);
    await add({ name: 'more' });
    await has('paint', 'more');
    tools.forget();
    expect(names()).toEqual(['own', 'paint', 'bad', 'more']);
    expect(warnings).toEqual([
      'Connected apps are not offered the tool bad: data.tools[1] cannot be used',
      'Connected apps are not offered the tool paint: no model takes it',
    ]);
  });
});

it.each([
  ['no WebMCP', undefined],
  ['one that does not tell its tools', { registerTool: () => undefined }],
])('a bridge offers nothing in a browser with %s', async (_what, browser) => {
  const tools = new ToolRegistry(() => undefined);
  const bridge = new ToolBridge(tools, () => browser, { origin: 'https://site.test' });
  await expect(bridge.follow()).resolves.toBe(false);
  expect([tools.list(), bridge.isFollowing]).toEqual([[], false]);
});
