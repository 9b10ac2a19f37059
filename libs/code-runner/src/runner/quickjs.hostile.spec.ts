import { Logger } from '@nestjs/common';
import type { CodeFailure } from './code-runner.js';
import { MAX_WAITING_PER_WORKER, QuickJsCodeRunner } from './quickjs.js';
import { WORKERS } from './worker-pool.js';

const runner = new QuickJsCodeRunner();
const run = (code: string, timeoutMs = 3_000, input: unknown = null) =>
  runner.run({ userId: 'eve', code, input, timeoutMs });
const valueOf = async (code: string) => (await run(code)).value;
const failureOf = async (code: string, timeoutMs?: number): Promise<CodeFailure> => {
  try {
    await run(code, timeoutMs);
  } catch (error) {
    return error as CodeFailure;
  }
  throw new Error(`it ended well: ${code}`);
};

/** Each of these is one call of a built-in that runs for minutes and never checks whether time is up. */
const DEAF = [
  'const a = [1]; a.length = 2 ** 32 - 1; a.indexOf(5)',
  'const s = "x".repeat(1e6); s.replaceAll("x", s)',
  'new Array(2 ** 32 - 1).join("x")',
  'const f = () => { try { f() } catch { f() } }; f()',
];

/** For tests that are not about time, which may take long on a busy machine. */
const LONG_MS = 45_000;

/** More runs than can run and wait together, on any number of cores. */
const MORE_THAN_FIT = WORKERS * (1 + MAX_WAITING_PER_WORKER) + 1;

describe('hostile code', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => runner.onModuleDestroy());
  // Each test leaves the runner able to run code.
  afterEach(async () => expect(await valueOf('return [1, 2].map((x) => x * 2)')).toEqual([2, 4]));

  it.each([
    'for (;;);',
    'for (;;) { try { for (;;); } catch {} finally { continue } }',
    'for (;;) await null',
    'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})',
    'for (;;) Promise.resolve().then(() => {})',
    '/(x+x+)+y/.test("x".repeat(40))',
    'throw { get stack() { for (;;); } }',
    'throw { toJSON() { for (;;); } }',
    'return { toJSON() { for (;;); } }',
    'return { then() { for (;;); } }',
    'console.log({ toString() { for (;;); }, toJSON() { for (;;); } })',
    'for (;;) console.log("x".repeat(100))',
    'eval("for (;;);")',
    'BigInt(10) ** 10000000n; for (;;);',
    'new Proxy({}, { get: () => { for (;;); } }).x',
    'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return a',
    'class A { static get name() { for (;;); } } new A()',
    'class A { get [Symbol.iterator]() { for (;;); } } new A()',
    'new Proxy({}, { getPrototypeOf() { for (;;); } })',
    'Object.defineProperty(TypeError, Symbol.hasInstance, { value() { for (;;); } }); const a = []; a[0] = a; a',
    ...DEAF,
  ])('is over in time: %s', async (code) => {
    const failure = await failureOf(code, 200);
    expect(['CodeTimeUpError', 'CodeOutOfMemoryError']).toContain(failure.name);
    expect(failure.runMs).toBeGreaterThan(10);
  });

  it.each(DEAF)('is ended from outside, with its worker: %s', async (code) => {
    const failure = await failureOf(code, 100);
    expect(failure.message).toBe('it did not end within 100 ms');
    expect(failure.runMs).toBeGreaterThan(300);
  });

  it.each([
    'const a = []; for (;;) a.push(new Array(1000).fill(1))',
    'const a = []; for (;;) a.push(new Uint8Array(1e6))',
    'let a = "x"; const b = []; for (;;) b.push(a += a.slice(0, 1e5) + b.length)',
    'return "x".repeat(2 ** 29)',
    '"a".padStart(1e9)',
    'new Array(5e6).fill(1).map((x) => [x])',
    'const m = new Map(); for (let i = 0; ; i += 1) m.set(i, i)',
    'let p = Promise.resolve(); for (;;) p = p.then(() => {})',
    'const a = []; for (;;) a.push(a.length.toString().repeat(100))',
    'Object.keys(new Uint8Array(3e6))',
    'eval("(".repeat(6e4))',
    'new ArrayBuffer(2 ** 31)',
  ])('has no more than its memory: %s', async (code) => {
    const { name, message } = await failureOf(code, LONG_MS);
    expect(`${name} ${message}`).toMatch(/^CodeOutOfMemoryError|length|too long|stack overflow/);
  });

  it('has 32 MiB, and as an instance 64 with the holes between what it holds', async () => {
    const leavesHoles = `
      const kept = [];
      for (const [kib, mib] of [[128, 30], [400, 22], [1300, 17]]) {
        const all = Array.from({ length: (mib * 1024) / kib }, () => new ArrayBuffer(kib * 1024));
        kept.push(...all.filter((_, n) => n % 4 === 0));
      }`;
    expect(await valueOf('return new ArrayBuffer(24 * 2 ** 20).byteLength')).toBe(24 * 2 ** 20);
    for (const code of ['new ArrayBuffer(40 * 2 ** 20)', leavesHoles]) {
      expect((await failureOf(code, LONG_MS)).name).toBe('CodeOutOfMemoryError');
    }
  });

  it.each([
    '(function f() { f() })()',
    'const f = async () => { await f() }; await f()',
    'const f = () => [1].map(f); f()',
    'const o = { get x() { return this.x } }; o.x',
    'const o = { toString() { return `${this}` } }; String(o)',
    'const f = () => eval("f()"); f()',
    'const p = new Proxy({}, { get: (target, key, receiver) => receiver[key] }); p.x',
    'JSON.parse("[".repeat(1e5))',
    'let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); p.x',
  ])('has no endless stack: %s', async (code) => {
    expect((await failureOf(code, LONG_MS)).message).toMatch(/stack/);
  });

  it.each([
    '(1)',
    '[1]',
    '{1}',
    '{a:1}',
    '`${1}`',
    'if(1)1',
    'a=>1',
    '-1',
    'function f(){1}',
    'x:1',
    'class{[1](){}}',
    'f(1)',
    'await 1',
  ])('is compiled within its time, memory and stack, however deep: %s', async (piece) => {
    const [open, close = ''] = piece.split('1');
    const nested = `${open?.repeat(10_000)}1${close.repeat(10_000)}`.slice(0, 65_000);
    for (const code of [nested, `return ${nested}`]) {
      const outcome = await run(code, 300).catch((error: CodeFailure) => error);
      expect(outcome).toMatchObject({ runMs: expect.any(Number) });
    }
  });

  it('does not ask for more time or memory by catching', async () => {
    const code = 'const a = []; for (;;) try { for (;;) a.push(new Array(1e4).fill(1)) } catch {}';
    expect((await failureOf(code, 500)).name).toMatch(/TimeUp|OutOfMemory/);
  });

  it('logs at most 100 lines and 16 KiB', async () => {
    const many = await run('for (let i = 0; i < 1e4; i += 1) console.log(i); return 1');
    expect(many.logs).toHaveLength(101);
    expect(many.logs.at(-1)).toBe('(more was logged and left out)');
    const long = await run(
      'console.log("a"); console.log("é".repeat(9000)); console.log("b"); console.log("x".repeat(1e7), [..."y".repeat(1e4)])',
    );
    expect(long.logs).toEqual(['a', 'é'.repeat(8191), '(more was logged and left out)']);
    const wide = await run('console.log(...new Array(1e4).fill("x".repeat(100)))');
    expect(Buffer.byteLength(wide.logs.join(''))).toBeLessThan(17_000);
  });

  it('survives more failures at once than there is room for', async () => {
    const codes = Array.from({ length: MORE_THAN_FIT }, (_, n) => DEAF[n % DEAF.length] ?? '');
    const failures = await Promise.all(codes.map((code) => failureOf(code, 20)));
    expect(new Set(failures.map(({ name }) => name))).toEqual(
      new Set(['CodeTimeUpError', 'CodeBusyError']),
    );
  });
});
