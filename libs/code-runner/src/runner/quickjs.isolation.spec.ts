import { Logger } from '@nestjs/common';
import { QuickJsCodeRunner } from './quickjs.js';

const runner = new QuickJsCodeRunner();
const run = (code: string, input: unknown = null) =>
  runner.run({ userId: 'eve', code, input, timeoutMs: 3_000 });
const outcomeOf = async (code: string) => {
  try {
    return JSON.stringify(await run(code));
  } catch (error) {
    return JSON.stringify([(error as Error).message, (error as { logs?: unknown }).logs]);
  }
};

const HOST_NAMES = (
  'process require module global Buffer fetch setTimeout setInterval queueMicrotask structuredClone ' +
  'WebAssembly Worker Atomics SharedArrayBuffer XMLHttpRequest WebSocket std os bjson performance ' +
  'navigator crypto'
).split(' ');

const HOST_TRACES = new RegExp(`${process.cwd()}|node_modules|wasm|\\.ts:|root:x`, 'i');

describe('the sandbox', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => runner.onModuleDestroy());

  it.each([
    'globalThis',
    'this',
    '(0, eval)("this")',
    'this.constructor.constructor("return this")()',
    'console.log.constructor("return this")()',
    'input.constructor.constructor("return this")()',
    '(async () => {}).constructor("return this")',
    'Reflect.getPrototypeOf(function* () {}).constructor("return this")().next().value',
  ])('knows nothing of the host: %s', async (root) => {
    const code = `
      const root = await (typeof (${root}) === 'function' ? (${root})() : ${root});
      return ${JSON.stringify(HOST_NAMES)}.filter((name) => name in Object(root))`;
    expect((await run(code, {})).value).toEqual([]);
  });

  it('has the language, a console and the input as its only globals', async () => {
    const { value } = await run('return Object.getOwnPropertyNames(globalThis)');
    const unknown = (value as string[]).filter((name) => !(name in globalThis));
    expect(unknown.toSorted()).toEqual(
      ['Float16Array', 'InternalError', 'Iterator', 'input'].filter((name) =>
        unknown.includes(name),
      ),
    );
    expect(value).toContain('console');
  });

  it.each([
    'return await import("node:fs")',
    'return await import("fs")',
    'return await import("/etc/passwd")',
    'return await import("file:///etc/passwd")',
    'return import.meta.url',
    'return eval("import(\'node:fs\')")',
    'return arguments.callee.caller.toString()',
    'return console.log.caller',
    'return new Error("e").stack',
    'try { console.log.apply({ toString() { throw 1 } }, null) } catch (e) { return [String(e), e.stack] }',
    'try { (function f() { console.log("x"); f() })() } catch (e) { return [String(e), e.stack] }',
    'Error.prepareStackTrace = (e, frames) => frames.map(String); return new Error().stack',
    'Error.stackTraceLimit = 1e6; null.x',
    'throw Object.assign(new Error("e"), { stack: "(code.js:99)" })',
  ])('gives away no file and no frame of the host: %s', async (code) => {
    expect(await outcomeOf(code)).not.toMatch(HOST_TRACES);
  });

  it.each([
    ['JSON.stringify = () => "[]"; JSON.parse = null; delete globalThis.JSON', { a: 1 }],
    ['Promise.prototype.then = () => {}; Promise.resolve = null', { a: 1 }],
    ['String.prototype.slice = () => { for (;;); }; String.prototype.replaceAll = 1', { a: 1 }],
    ['Function.prototype.call = Function.prototype.apply = Reflect.apply = null', { a: 1 }],
    ['Array.prototype[Symbol.iterator] = null; Object.prototype.kind = "threw"', { a: 1 }],
    ['globalThis.console = undefined; globalThis.Error = globalThis.String = null', { a: 1 }],
    ['Object.prototype.toJSON = () => "mine"', 'mine'],
    ['Object.freeze(Object.prototype); Object.setPrototypeOf(globalThis, null)', { a: 1 }],
  ])('reads the value whatever was tampered with: %s', async (tampering, value) => {
    expect((await run(`${tampering}; return { a: 1 }`)).value).toEqual(value);
  });

  it.each([
    'Error.prototype.toString = () => ({}); throw new Error("e")',
    'Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 1 } }); throw new Error("e")',
    'RegExp.prototype.exec = () => { throw 1 }; throw new Error("e")',
    'String.prototype[Symbol.replace] = () => 1; throw new Error("e")',
    'Object.prototype.toString = null; throw {}',
    'String.prototype.toString = () => 1; throw "e"',
    'Object.defineProperty(Object.prototype, "0", { set() { throw 1 } }); throw [2]',
  ])('reads the error whatever was tampered with: %s', async (code) => {
    await expect(run(code)).rejects.toMatchObject({ name: 'CodeThrewError' });
  });

  it('runs what breaks out of its function no less isolated', async () => {
    const code = 'return 1 }); globalThis.out = typeof process; (async () => { return out';
    expect((await run(code)).value).toBe('undefined');
  });

  it('leaves nothing to the next run', async () => {
    await run(
      'globalThis.left = 1; Object.prototype.left = 1; JSON.stringify = null; console.log = null',
    );
    const code =
      'console.log("x"); return [typeof left, ({}).left === undefined, JSON.stringify(1)]';
    for (let again = 0; again < 4; again += 1) {
      expect(await run(code)).toMatchObject({ value: ['undefined', true, '1'], logs: ['x'] });
    }
  });

  it('does not touch the input of the caller', async () => {
    const input = { list: [1] };
    await run('input.list.push(2); input.__proto__.polluted = 1', input);
    expect(input).toEqual({ list: [1] });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
