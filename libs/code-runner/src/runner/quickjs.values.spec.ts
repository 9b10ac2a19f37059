import { Logger } from '@nestjs/common';
import { QuickJsCodeRunner } from './quickjs.js';

const runner = new QuickJsCodeRunner();
const run = (code: string, input: unknown = null) =>
  runner.run({ userId: 'ann', code, input, timeoutMs: 3_000 });
const refused = (code: string) => run(code).catch((error: unknown) => error);

const NO_VALUE = 'The code gave no value: end it with an expression, or use return.';
const NONE = 'which JSON does not have';
const OWN = 'of which JSON has the own members alone';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => runner.onModuleDestroy());

describe('the value of code without a return of its own', () => {
  it.each([
    ['1 + 1', 2],
    ['1 + 1;', 2],
    ['1;;; // the end', 1],
    ['/* first */ 1 /* last */\n', 1],
    ['1\n-1', 0],
    ['const a = [1]\na[0]', 1],
    ['input', 'in'],
    ['const f = () => { return 1 }; f() + 1', 2],
    ['function f() { return 1 } f()', 1],
    ['f(3); function f(n) { return n * 2 }', 6],
    ['class A { get x() { return 4 } } new A().x', 4],
    ['`a ${[1, 2].map((n) => `${n}`)}`', 'a 1,2'],
    ['await Promise.resolve(5)', 5],
    ['Promise.resolve(6)', 6],
    ['const [a, b] = await Promise.all([1, 2]); ({ a, b })', { a: 1, b: 2 }],
    ['if (input) 1; else 2', 1],
    ['for (const n of [1, 2, 3]) n * 2', 6],
    ['for await (const n of [1, 2]) n', 2],
    ['try { 1 } catch { 2 } finally { 3 }', 1],
    ['try { throw 1 } catch { 2 }', 2],
    ['switch (1) { case 1: "one" }', 'one'],
    ['1; let b = 2', 1],
    ['{ a: 1, b: [2] }', { a: 1, b: [2] }],
    [' {\n}\n', {}],
    ['{ const a = 1; a + 1 }', 2],
    ['const a = 1;\n{ a }', 1],
    ['"use strict"; (function () { return this === undefined })()', true],
    ['// strict\n"use strict"; try { undeclared = 1 } catch { 2 }', 2],
    ['var f; function f() {} typeof f', 'function'],
    ['let input = 7; input', 7],
    ['var input = input + "put"; input', 'input'],
    ['const s = "return 1"; s.length', 8],
    ['#!/usr/bin/env node\n1', 1],
  ])('is that of the last expression: %s', async (code, value) => {
    expect(await run(code, 'in')).toMatchObject({ value, remarks: '' });
  });

  it.each(['', '// nothing', ';', 'let a = 1', 'function f() {}', 'class A {}', 'while (false);'])(
    'is none where there is no expression: %s',
    async (code) => {
      expect(await run(code)).toMatchObject({ value: null, remarks: NO_VALUE });
    },
  );
});

describe('code with a return of its own', () => {
  it.each([
    ['return 1; 2', 1],
    ['if (input) return 1; 2', null],
    ['for (const n of [1, 2]) if (n === 2) return n', 2],
    ['await 0; { return { a: 1 } }', { a: 1 }],
    ['return\n1', null],
  ])('has the value of that alone: %s', async (code, value) => {
    expect((await run(code)).value).toEqual(value);
  });
});

describe('what JSON has nothing for', () => {
  it.each([
    ['undefined', null, NO_VALUE],
    ['return', null, NO_VALUE],
    ['NaN', null, `The value is NaN, ${NONE}.`],
    ['-1 / 0', null, `The value is -Infinity, ${NONE}.`],
    ['12n', null, `The value is the bigint 12, ${NONE}.`],
    ['10n ** 10000n', null, `The value is a bigint, ${NONE}.`],
    ['() => 1', null, `The value is a function, ${NONE}.`],
    ['Symbol("s")', null, `The value is the symbol Symbol(s), ${NONE}.`],
    [
      'new Map([[1, 2]])',
      {},
      `The value is an instance of Map, ${OWN}; [...it] lists what it holds.`,
    ],
    ['new Set([1])', {}, `The value is an instance of Set, ${OWN}; [...it] lists what it holds.`],
    ['new (class A { x = 1 })()', { x: 1 }, `The value is an instance of A, ${OWN}.`],
    ['new (class {})()', {}, `The value is an instance of a class, ${OWN}.`],
    ['/x/', {}, `The value is an instance of RegExp, ${OWN}.`],
    ['const a = {}; a.a = [a]; a', null, 'The value contains itself, which JSON cannot say.'],
    ['[async () => 1].map((f) => f())', [{}], `Its member "0" is an instance of Promise, ${OWN}.`],
    ['({ ok: 1, total: 0 / 0 })', { ok: 1, total: null }, `Its member "total" is NaN, ${NONE}.`],
    ['({ n: [1n] })', { n: [null] }, `Its member "0" is the bigint 1, ${NONE}.`],
  ])('is told in words: %s', async (code, value, remarks) => {
    expect(await run(code)).toMatchObject({ value, remarks });
  });

  it.each([
    'null',
    'new Date(0)',
    '[undefined]',
    '({ a: undefined })',
    '-0',
    '[]',
    'Object.create(null)',
  ])('is not what every reader of JSON expects: %s', async (code) =>
    expect((await run(`(${code})`)).remarks).toBe(''),
  );

  it('is told of the first few of many, in bounded length', async () => {
    const { remarks } = await run('new Array(1000).fill(NaN)');
    expect(remarks.match(/is NaN/g)).toHaveLength(4);
    expect(remarks).toMatch(
      /"3" is NaN, which JSON does not have\. There may be more of this kind\.$/,
    );
    const odd = await run('new (class { static name = "a\\0\\n" + "b".repeat(100) })()');
    expect(odd.remarks).toMatch(/^The value is an instance of a\ufffd\nb{57}, of which/);
    const long = 'Object.fromEntries([["k".repeat(1e4), Symbol("s".repeat(1e5))]])';
    expect((await run(long)).remarks.length).toBeLessThan(300);
  });

  it.each([
    'class A { static get name() { throw 1 } } new A()',
    'class A { static name = { toString() { throw 1 } } } new A()',
    'const o = Object.create({ get constructor() { throw 1 } }); o',
    'new Proxy({}, { getPrototypeOf() { throw 1 } })',
    'Array.prototype.push = Array.isArray = Number.isFinite = null; [NaN]',
    'Object.defineProperty(Object.prototype, "json", { set() { throw 1 } }); [NaN]',
    'Object.getPrototypeOf = Symbol.iterator; JSON.stringify = String = null; [NaN]',
  ])('does no harm, whatever was done to it: %s', async (code) => {
    expect(['{}', '[null]']).toContain(JSON.stringify((await run(code)).value));
  });
});

describe('the line of what could not be compiled', () => {
  it.each([
    ['1 +', 1],
    ['const a = 1\n\nretur 1', 3],
    ['const a = 1\r\nlet a = 2', 2],
    ['if (true) {\n  1\n', 3],
    ['foo(\n', 2],
    ['return foo(', 1],
    ['return 1\n}\n\n', 4],
    ['"use strict"\nwith (a) b', 2],
    ['{ a: 1,\n b: }', 2],
    ['x = 1 } { 2', 1],
    ['return 1\n`', 2],
  ])('is one of those that were sent: %j', async (code, line) => {
    const { name, message } = (await refused(code)) as Error;
    expect([name, message]).toEqual([
      'CodeThrewError',
      expect.stringMatching(/^it threw SyntaxError/),
    ]);
    expect(message).toMatch(new RegExp(`\\(line ${line}\\)$`));
  });

  it.each([
    ['\n\nnull.x', 3],
    ['const f = () => {\n  throw new Error("e")\n}\nf()', 2],
    ['return (() => {\n  throw new Error("e")\n})()', 2],
    ['1\neval("}")', 2],
  ])('is no other than that of what threw: %j', async (code, line) => {
    expect(((await refused(code)) as Error).message).toMatch(new RegExp(`\\(line ${line}\\)$`));
  });
});
