import type { PageTool, ToolOptions } from './client-api.js';
import { type ModelContext, ToolRegistry } from './tools.js';

const tool = (changes: object = {}): PageTool => ({
  name: 'paint',
  description: 'Paints the page.',
  execute: () => null,
  ...changes,
});
const schemaOf = (bytes: number) => {
  const empty = JSON.stringify({ type: 'object', title: '' }).length;
  return { type: 'object', title: 'x'.repeat(bytes - empty) };
};

describe('ToolRegistry', () => {
  let tools: ToolRegistry;
  let changes: number;
  const names = () => tools.list().map(({ name }) => name);

  beforeEach(() => {
    tools = new ToolRegistry(() => undefined);
    changes = 0;
    tools.onChange = () => (changes += 1);
  });

  it('lists what is registered, as it was then, without what runs it', async () => {
    const inputSchema = { type: 'object', properties: {} as Record<string, object> };
    const outputSchema = { type: 'object', required: ['painted'] };
    const annotations = { readOnlyHint: 1, other: true };
    await tools.register(tool({ title: 'Paint', inputSchema, outputSchema, annotations }));
    inputSchema.properties['late'] = {};
    expect(tools.list()).toEqual([
      {
        name: 'paint',
        title: 'Paint',
        description: 'Paints the page.',
        inputSchema: { type: 'object', properties: {} },
        outputSchema: { type: 'object', required: ['painted'] },
        annotations: { readOnlyHint: false, untrustedContentHint: false },
      },
    ]);
    expect(changes).toBe(1);
  });

  it('lists the hint of a consequential tool only where it is true, as versions before it do', async () => {
    for (const consequentialHint of [true, false, 1, undefined]) {
      const annotations = { readOnlyHint: true, consequentialHint };
      await tools.register(tool({ name: `paint-${consequentialHint}`, annotations }));
    }
    const others = { readOnlyHint: true, untrustedContentHint: false };
    expect(tools.list().map(({ annotations }) => annotations)).toEqual([
      { ...others, consequentialHint: true },
      others,
      others,
      others,
    ]);
  });

  it('runs a tool as a method of it', async () => {
    await tools.register(
      tool({
        colour: 'teal',
        execute(this: { colour: string }) {
          return this.colour;
        },
      }),
    );
    expect(tools.find('paint')).toBeUndefined();
    tools.check([...tools.list(), { name: 'constructor', description: 'x' }]);
    expect(tools.find('paint')?.({}, {} as never)).toBe('teal');
    expect(tools.find('constructor')).toBeUndefined();
  });

  it.each([
    ['a name with a blank', { name: 'a b' }, 'InvalidStateError'],
    ['no name', { name: '' }, 'InvalidStateError'],
    ['a name of 129 characters', { name: 'x'.repeat(129) }, 'InvalidStateError'],
    ['a name that is no text', { name: 7 }, 'InvalidStateError'],
    ['no description', { description: '' }, 'InvalidStateError'],
    ['nothing to run', { execute: 'x' }, 'TypeError'],
    ['a schema that is no object', { inputSchema: { type: 'array' } }, 'TypeError'],
    ['a schema without a type', { inputSchema: {} }, 'TypeError'],
    ['a schema that is a list', { inputSchema: [] }, 'TypeError'],
    ['a schema of results without a type', { outputSchema: {} }, 'TypeError'],
    ['a large schema of results', { outputSchema: schemaOf(8193) }, 'QuotaExceededError'],
    ['a schema that is a function', { inputSchema: () => 1 }, 'TypeError'],
    ['a schema with a BigInt', { inputSchema: { type: 'object', x: 1n } }, 'TypeError'],
    ['a schema of more than 8 KiB', { inputSchema: schemaOf(8193) }, 'QuotaExceededError'],
    ['a description that is too long', { description: 'x'.repeat(2001) }, 'QuotaExceededError'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'QuotaExceededError'],
  ])('rejects %s', async (_what, change, name) => {
    await expect(tools.register(tool(change))).rejects.toMatchObject({ name });
    expect([names(), changes]).toEqual([[], 0]);
  });

  it('passes on what a schema throws when it is written as JSON', async () => {
    const failure = new RangeError('mine');
    const inputSchema = {
      toJSON() {
        throw failure;
      },
    };
    await expect(tools.register(tool({ inputSchema }))).rejects.toBe(failure);
  });

  it('takes the longest of everything', async () => {
    await tools.register(
      tool({
        name: '__proto__',
        title: 'x'.repeat(200),
        description: 'x'.repeat(2000),
        inputSchema: schemaOf(8192),
      }),
    );
    expect(names()).toEqual(['__proto__']);
  });

  it('rejects a name that is taken, also for a model, also of two at once', async () => {
    const both = await Promise.allSettled([tools.register(tool()), tools.register(tool())]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await tools.register(tool({ name: 'a.b' }));
    for (const name of ['paint', 'a.b', 'a_b']) {
      const again = tools.register(tool({ name }));
      await expect(again).rejects.toMatchObject({ name: 'InvalidStateError' });
    }
    await tools.register(tool({ name: `${'x'.repeat(64)}1` }));
    const long = tools.register(tool({ name: `${'x'.repeat(64)}2` }));
    await expect(long).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('has room for 64 tools, and for 48 KiB', async () => {
    for (let n = 0; n < 64; n += 1) await tools.register(tool({ name: `t${n}` }));
    const full = tools.register(tool());
    await expect(full).rejects.toMatchObject({ name: 'QuotaExceededError' });
    tools = new ToolRegistry(() => undefined);
    const many = Array.from({ length: 7 }, (_, n) =>
      tools.register(tool({ name: `t${n}`, inputSchema: schemaOf(8000) })),
    );
    const settled = await Promise.allSettled(many);
    expect(settled.map(({ status }) => status).lastIndexOf('fulfilled')).toBe(5);
    expect(Buffer.byteLength(JSON.stringify(tools.list()))).toBeLessThanOrEqual(48 * 1024);
  });

  it('gives up a tool, and its name, when its signal says so', async () => {
    const here = new AbortController();
    await tools.register(tool(), { signal: here.signal });
    here.abort();
    expect([names(), tools.find('paint'), changes]).toEqual([[], undefined, 2]);
    await expect(tools.register(tool(), { signal: here.signal })).rejects.toBe(here.signal.reason);
    await tools.register(tool());
    expect(names()).toEqual(['paint']);
  });
});

const painter: PageTool = {
  name: 'paint',
  description: 'Paints the page.',
  execute: ({ colour }, { app, signal }) => ({ colour, app, isAborted: signal.aborted }),
};

/** A browser that accepts, refuses or delays tools as a spec decides. */
class TestBrowser implements ModelContext {
  readonly asked: [Parameters<ModelContext['registerTool']>[0], ToolOptions][] = [];
  answer: () => unknown = () => undefined;

  registerTool(...asked: (typeof this.asked)[number]) {
    this.asked.push(asked);
    return this.answer();
  }
}

describe('ToolRegistry in a browser with WebMCP', () => {
  let browser: TestBrowser;
  let tools: ToolRegistry;

  beforeEach(() => {
    browser = new TestBrowser();
    tools = new ToolRegistry(() => browser);
  });

  it('registers with it too, once, with the options, and runs the same', async () => {
    const options = { signal: new AbortController().signal, exposedTo: ['https://a.example'] };
    await tools.register(painter, options);
    expect(browser.asked).toEqual([
      [{ name: 'paint', description: painter.description, execute: expect.any(Function) }, options],
    ]);
    expect(browser.asked[0]?.[0].execute({ colour: 'teal' })).toEqual({
      colour: 'teal',
      app: null,
      isAborted: false,
    });
  });

  it('hands on the signal of its calls, where the browser gives one', async () => {
    await tools.register(painter);
    const { signal } = new AbortController();
    const [ofBrowser] = browser.asked[0] ?? [];
    const given = { signal: AbortSignal.abort() };
    expect(ofBrowser?.execute({}, given)).toMatchObject({ isAborted: true });
    expect(ofBrowser?.execute({}, { signal })).toMatchObject({ isAborted: false });
  });

  it('does not ask it about what is refused here', async () => {
    await tools.register(painter);
    await expect(tools.register(painter)).rejects.toThrow('already');
    await expect(tools.register({ ...painter, name: '' })).rejects.toThrow('name');
    expect(browser.asked).toHaveLength(1);
  });

  it.each([
    ['rejects', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
    [
      'throws',
      () => {
        throw new DOMException('no', 'NotAllowedError');
      },
    ],
  ])('does not keep what the browser %s', async (_how, answer) => {
    browser.answer = answer;
    await expect(tools.register(painter)).rejects.toMatchObject({ name: 'NotAllowedError' });
    expect([tools.list(), tools.find('paint')]).toEqual([[], undefined]);
    browser.answer = () => undefined;
    await tools.register(painter);
    expect(tools.list()).toHaveLength(1);
  });

  it('offers nothing before the browser has taken it, and keeps the name meanwhile', async () => {
    let take = () => {};
    browser.answer = () => new Promise<void>((resolve) => (take = resolve));
    const registered = tools.register(painter);
    await expect(tools.register(painter)).rejects.toThrow('already');
    expect([tools.list(), tools.find('paint')]).toEqual([[], undefined]);
    take();
    await registered;
    expect(tools.list()).toHaveLength(1);
  });

  it('rejects when it is aborted while the browser thinks, and frees the name', async () => {
    browser.answer = () => new Promise(() => {});
    const here = new AbortController();
    const registered = tools.register(painter, { signal: here.signal });
    here.abort(new Error('gone'));
    await expect(registered).rejects.toThrow('gone');
    expect(tools.list()).toEqual([]);
    browser.answer = () => undefined;
    await tools.register(painter);
  });

  it('offers nothing when it is aborted in the moment that the browser takes it', async () => {
    const here = new AbortController();
    browser.answer = () => here.abort(new Error('gone'));
    await expect(tools.register(painter, { signal: here.signal })).rejects.toThrow('gone');
    expect(tools.list()).toEqual([]);
  });
});
