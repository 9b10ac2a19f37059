import { QuickJsCodeRunner } from './quickjs.js';

const runner = new QuickJsCodeRunner();
const run = (code: string, input: unknown = null) =>
  runner.run({ userId: 'ann', code, input, timeoutMs: 3_000 });
const valueOf = async (code: string, input?: unknown) => (await run(code, input)).value;
const refused = (code: string) => run(code).catch((error: unknown) => error);

describe('what code gives back', () => {
  afterAll(() => runner.onModuleDestroy());

  it.each([
    ['return 1 + 1', 2],
    ['', null],
    ['1 + 1', 2],
    ['return undefined', null],
    ['return null', null],
    ['return "\\ud800 \\0 é \\u2028"', '\ud800 \0 é \u2028'],
    ['return [NaN, undefined, () => 1, -0]', [null, null, null, 0]],
    ['return { a: 1, b: undefined, c: { d: [] } }', { a: 1, c: { d: [] } }],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['return await Promise.all([1, Promise.resolve(2)])', [1, 2]],
    ['return new Promise((resolve) => resolve({ ok: true }))', { ok: true }],
    ['for await (const x of [1, 2]) if (x === 2) return x', 2],
    ['class A { #x = 3; get x() { return this.#x } }; return new A().x', 3],
    ['return /(?<year>\\d{4})/u.exec("in 2026").groups.year', '2026'],
    ['return eval("1 + 2") + new Function("return 3")()', 6],
    ['return 7 // a comment at the end', 7],
    ['const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); return f(2000)', 2_000],
    [`return ${'['.repeat(64)}${']'.repeat(64)}.flat(Infinity)`, []],
  ])('%s', async (code, value) => {
    expect(await valueOf(code)).toEqual(value);
  });

  it('keeps members with the names of prototypes as plain members', async () => {
    const value = await valueOf('return JSON.parse(\'{"__proto__":{"a":1},"constructor":2}\')');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it.each([
    ['text', 'a "quoted" \\ \0 \ud800 text'],
    ['a number', 0.1],
    ['nothing', null],
    ['an object', { items: [{ a: 1 }, '__proto__'] }],
  ])('gets %s as its input', async (_what, input) => {
    expect(await valueOf('return input', input)).toEqual(input);
    expect(await valueOf('return typeof input', input)).toBe(typeof input);
  });

  it('gets null when there is no input', async () => {
    expect(await valueOf('return input', undefined)).toBeNull();
  });

  it('logs one line a call', async () => {
    const { logs } = await run(`
      console.log('a', 1, { b: [2] }, null, undefined, 3n, Symbol('s'));
      console.error(new TypeError('wrong'));
      console.log();
      console.log('nul \\0', { toJSON() { throw 1 } });`);
    expect(logs).toEqual([
      'a 1 {"b":[2]} null undefined 3 Symbol(s)',
      'TypeError: wrong',
      '',
      'nul \ufffd [object that cannot be shown]',
    ]);
  });

  it('says how long it ran', async () => {
    const code = 'const end = Date.now() + 50; while (Date.now() < end); return 1';
    const { runMs } = await run(code);
    expect(runMs).toBeGreaterThanOrEqual(49);
    expect(runMs).toBeLessThan(3_000);
  });

  it('gives up to 64 KiB of JSON, in bytes', async () => {
    expect(await valueOf('return "x".repeat(65534)')).toHaveLength(65_534);
    expect(await valueOf('return "é".repeat(32767)')).toHaveLength(32_767);
    const tooLarge = {
      name: 'CodeResultError',
      message: 'what it returned is not usable: its JSON is larger than 65536 bytes',
    };
    expect(await refused('return "x".repeat(65535)')).toMatchObject(tooLarge);
    expect(await refused('return "é".repeat(32768)')).toMatchObject(tooLarge);
    expect(await refused('return "x".repeat(1e6)')).toMatchObject(tooLarge);
  });

  it.each([
    ['return { toJSON() { throw new Error("not me") } }', 'not me'],
    ['return new Proxy({}, { ownKeys() { throw null } })', 'null'],
    [`return ${'['.repeat(65)}${']'.repeat(65)}`, 'nested more than 64 levels'],
    ['return new Promise(() => {})', 'promise that nothing settles'],
    ['await { then() {} }', 'promise that nothing settles'],
  ])('has no use for %s', async (code, reason) => {
    const error = await refused(code);
    expect(error).toMatchObject({ name: 'CodeResultError', runMs: expect.any(Number) });
    expect((error as Error).message).toContain(reason);
  });

  it.each([
    ['throw new Error("broken")', 'it threw Error: broken (line 1)'],
    ['\n\nnull.x', "it threw TypeError: cannot read property 'x' of null (line 3)"],
    ['await Promise.reject(new RangeError("late"))', 'it threw RangeError: late (line 1)'],
    ['retur 1', "it threw SyntaxError: expecting ';' (line 1)"],
    ['throw undefined', 'it threw undefined'],
    ['throw null', 'it threw null'],
    ['throw "text"', 'it threw text'],
    ['throw 1n', 'it threw 1'],
    ['throw Symbol("s")', 'it threw Symbol(s)'],
    ['throw { code: 7 }', 'it threw {"code":7}'],
    ['throw { toJSON: null, toString() { throw 1 } }', 'it threw {"toJSON":null}'],
    ['throw { get message() { throw 1 } }', 'it threw [object that cannot be shown]'],
    ['throw Object.create(null)', 'it threw {}'],
    ['throw () => { throw 1 }', 'it threw () => { throw 1 }'],
    ['throw Object.assign(new Error, { toString() { throw 1 } })', 'it threw [object that cannot'],
    [
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
      'it threw [object',
    ],
    ['throw new Error("x".repeat(1e6))', `it threw Error: ${'x'.repeat(400)}`],
    ['console.log("before"); throw 1', 'it threw 1'],
  ])('tells what went wrong in %s', async (code, message) => {
    const error = (await refused(code)) as Error;
    expect(error).toMatchObject({ name: 'CodeThrewError', runMs: expect.any(Number) });
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error.message.length).toBeLessThan(600);
  });

  it('tells what was logged before it went wrong', async () => {
    expect(await refused('console.log("before"); throw 1')).toMatchObject({ logs: ['before'] });
    expect(await refused('console.log("before"); for(;;);')).toMatchObject({ logs: ['before'] });
  });
});
