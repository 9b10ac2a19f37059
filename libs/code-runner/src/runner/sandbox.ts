import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { CodeEnding, CodeOutcome, CodeTask } from './code-runner.ts';

const RETURN_OUTSIDE = 'return not in a function';

/**
 * The script that QuickJS gets for the code, with its line numbers kept. Its value is what the code returns if it has
 * a `return` outside of its functions, otherwise that of the last expression (ECMA-262 16.1.7); code that is one
 * object literal gives that object. Code that cannot be compiled stays, so that evaluating it throws for its line.
 * `problemIn` returns why a script cannot be compiled, or undefined.
 */
export function scriptOf(code: string, problemIn: (script: string) => string | undefined): string {
  const object = `(${code}\n)`;
  if (isInBraces(code) && problemIn(object) === undefined) return object;
  const problem = problemIn(code);
  if (problem === RETURN_OUTSIDE) return `(async function (input) {${code}\n})(input)`;
  if (problem !== undefined) return code;
  // Variables of a block are faster than those of a script. In a block a directive would have no effect.
  const block = `{${code}\n}`;
  return code.includes('use strict') || problemIn(block) !== undefined ? code : block;
}

function isInBraces(code: string) {
  const trimmed = code.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}');
}

const MAX_LINES = 100;
const MAX_BYTES = 16_384;

/** Log lines of the code, up to 100 and 16 KiB; one further line then says that some were cut. */
export class RunLogs {
  readonly lines: string[] = [];
  private room = MAX_BYTES;
  private isFull = false;

  get takesMore(): boolean {
    return !this.isFull;
  }

  add(line: string) {
    if (this.isFull) return;
    const bytes = Buffer.from(line);
    this.isFull = this.lines.length === MAX_LINES || bytes.length > this.room;
    if (this.lines.length < MAX_LINES) this.lines.push(textOf(bytes.subarray(0, this.room)));
    this.room -= bytes.length;
    if (this.isFull) this.lines.push('(more was logged and left out)');
  }
}

/** Omits a last character that is cut in the middle. */
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true });

/**
 * Part of the prelude: returns the JSON text of a value, null in place of what JSON cannot express, and as `remarks`
 * the first sentences about that. Throws what a `toJSON`, a getter or a proxy of the code throws.
 */
const VM_TO_JSON = `(() => {
  const { isArray } = Array;
  const { isFinite } = Number;
  const { getPrototypeOf, prototype: plain } = Object;
  const { TypeError } = globalThis;
  const { iterator } = Symbol;
  const MAX_REMARKS = 4;
  const MAX_NAME_LENGTH = 60;
  const MAX_DIGITS = 10n ** 60n;
  const NO_VALUE = 'The code gave no value: end it with an expression, or use return.';
  const CIRCULAR = 'The value contains itself, which JSON cannot say.';

  const instanceOf = (value) => {
    try {
      const prototype = getPrototypeOf(value);
      if (prototype === null || prototype === plain) return undefined;
      const name = cut(String(prototype.constructor.name), MAX_NAME_LENGTH) || 'a class';
      const advice = typeof value[iterator] === 'function' ? '; [...it] lists what it holds' : '';
      return 'an instance of ' + name + ', of which JSON has the own members alone' + advice;
    } catch {
      return undefined;
    }
  };

  const named = (key) => stringify(cut(key, MAX_NAME_LENGTH));

  const shownBigInt = (value) =>
    value > -MAX_DIGITS && value < MAX_DIGITS ? 'the bigint ' + String(value) : 'a bigint';

  const lost = (value) => {
    switch (typeof value) {
      case 'number': return isFinite(value) ? undefined : String(value);
      case 'bigint': return shownBigInt(value);
      case 'symbol': return 'the symbol ' + cut(String(value), MAX_NAME_LENGTH);
      case 'function': return 'a function';
      default: return undefined;
    }
  };

  const problemOf = (value) => {
    if (isObject(value)) return isArray(value) ? undefined : instanceOf(value);
    const what = lost(value);
    return what && what + ', which JSON does not have';
  };

  return (value) => {
    let remarks = value === undefined ? NO_VALUE : '';
    let count = 0;
    let isWhole = true;
    const remark = (subject, problem) => {
      count += 1;
      remarks += (count === 1 ? '' : ' ') + subject + ' is ' + problem + '.';
      if (count === MAX_REMARKS) remarks += ' There may be more of this kind.';
    };
    const replacer = (key, member) => {
      const problem = count < MAX_REMARKS ? problemOf(member) : undefined;
      if (problem) remark(isWhole ? 'The value' : 'Its member ' + named(key), problem);
      isWhole = false;
      return typeof member === 'bigint' ? null : member;
    };
    try {
      return { json: stringify(value, replacer) ?? 'null', remarks };
    } catch (error) {
      if (!(error instanceof TypeError) || error.message !== 'circular reference') throw error;
      return { json: 'null', remarks: CIRCULAR };
    }
  };
})()`;

/**
 * Runs before the code and keeps, in a closure that only the host can access, the built-ins that the host needs: they
 * stay the original ones when the code changes `JSON` or a prototype.
 */
const VM_PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { Error, String } = globalThis;
  const { apply } = Reflect;
  const { replaceAll, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const LINE_NUMBER = /\\bcode\\.js:(\\d+)/;
  const MAX_LENGTH = 16384;
  delete globalThis.SharedArrayBuffer;

  const isObject = (value) => typeof value === 'object' && value !== null;
  const cut = (text, length = MAX_LENGTH) =>
    apply(replaceAll, apply(slice, text, [0, length]), ['\\0', '\\ufffd']);

  const shown = (value) => {
    if (!isObject(value) || value instanceof Error) return String(value);
    return stringify(value) ?? String(value);
  };

  const shownSafely = (value) => {
    try {
      return cut(shown(value));
    } catch {
      return '[' + typeof value + ' that cannot be shown]';
    }
  };

  const lineOf = (thrown, last) => {
    try {
      const line = apply(exec, LINE_NUMBER, [cut(String(thrown.stack))])?.[1];
      return line > last ? last : line;
    } catch {
      return undefined;
    }
  };

  return {
    parse,

    provideConsole: (emit) => {
      const log = (...values) => {
        let line = '';
        for (let index = 0; index < values.length && line.length < MAX_LENGTH; index += 1) {
          line += (index === 0 ? '' : ' ') + shownSafely(values[index]);
        }
        emit(line);
      };
      globalThis.console = { log, info: log, warn: log, error: log, debug: log };
    },

    // Of a script's promise. A value that is a promise is awaited too, without a look at its \`then\`.
    valueOf: async (completion) => await (await completion).value,

    toJson: ${VM_TO_JSON},

    describe: (thrown, lastLine) => {
      const line = isObject(thrown) ? lineOf(thrown, lastLine) : undefined;
      return shownSafely(thrown) + (line ? ' (line ' + line + ')' : '');
    },
  };
})()`;

// The ESM import is the variant itself; its types are those of its CommonJS build.
const BASE = variant as unknown as QuickJSSyncVariant;
const PAGE_BYTES = 65_536;
const FIRST_MEMORY_BYTES = 16 * 1024 * 1024;
const HEAP_BYTES = 32 * 1024 * 1024;
/** The heap, the interpreter and fragmentation of the memory. */
const MEMORY_BYTES = 64 * 1024 * 1024;
const STACK_BYTES = 1024 * 1024;
const MAX_RESULT_BYTES = 65_536;
const MAX_MESSAGE_LENGTH = 500;
/** Slightly more than the length that the prelude cuts texts to. */
const MAX_TEXT_LENGTH = 20_000;
const JOBS_AT_ONCE = 1_000;
const FILE = 'code.js';
/** From quickjs.h. The script may await, and evaluates to a promise of `{ value }`. */
const JS_EVAL_FLAG_ASYNC = 1 << 7;
const JS_EVAL_FLAG_COMPILE_ONLY = 1 << 5;

export class Sandbox {
  private readonly logs = new RunLogs();
  private readonly runtime: QuickJSRuntime;
  private readonly memory: WebAssembly.Memory;
  private readonly context: QuickJSContext;
  private readonly prelude: QuickJSHandle;
  private deadline = Infinity;

  private constructor(runtime: QuickJSRuntime, memory: WebAssembly.Memory) {
    this.runtime = runtime;
    this.memory = memory;
    runtime.setMemoryLimit(HEAP_BYTES);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => this.isTimeUp());
    this.context = runtime.newContext();
    this.prelude = this.context.unwrapResult(this.context.evalCode(VM_PRELUDE, 'prelude.js'));
    this.provideConsole();
  }

  static async create(wasmModule: WebAssembly.Module): Promise<Sandbox> {
    const wasmMemory = new WebAssembly.Memory({
      initial: FIRST_MEMORY_BYTES / PAGE_BYTES,
      maximum: MEMORY_BYTES / PAGE_BYTES,
    });
    const interpreter = newVariant(BASE, { wasmModule, wasmMemory });
    const quickjs = await newQuickJSWASMModuleFromVariant(interpreter);
    return new Sandbox(quickjs.newRuntime(), wasmMemory);
  }

  run(task: CodeTask): CodeOutcome {
    const startedAt = performance.now();
    this.deadline = startedAt + task.timeoutMs;
    const ending = this.endingOf(task);
    const runMs = performance.now() - startedAt;
    return { ending, logs: this.logs.lines, runMs };
  }

  private endingOf({ code, input }: CodeTask): CodeEnding {
    try {
      return this.evaluate(code, input);
    } catch {
      // WebAssembly itself failed: its memory or the stack of the thread is exhausted.
      return this.isTimeUp() ? { kind: 'timeout' } : { kind: 'memory' };
    }
  }

  private evaluate(code: string, input: string): CodeEnding {
    const { context } = this;
    const parsed = this.callPrelude('parse', context.newString(input));
    if (parsed.error) return this.thrown(parsed.error);
    context.setProp(context.global, 'input', parsed.value);
    const script = scriptOf(code, (text) => this.problemIn(text));
    const completion = context.evalCode(script, FILE, JS_EVAL_FLAG_ASYNC);
    if (completion.error) return this.thrown(completion.error, linesOf(code));
    const value = this.callPrelude('valueOf', completion.value);
    if (value.error) return this.thrown(value.error);
    this.settle();
    const state = context.getPromiseState(value.value);
    if (this.isTimeUp()) return { kind: 'timeout' };
    if (state.type === 'pending') return { kind: 'unsettled' };
    return state.type === 'rejected' ? this.thrown(state.error) : this.returned(state.value);
  }

  private problemIn(script: string): string | undefined {
    const { context } = this;
    const flags = JS_EVAL_FLAG_ASYNC | JS_EVAL_FLAG_COMPILE_ONLY;
    const compiled = context.evalCode(script, FILE, flags);
    if (!compiled.error) {
      compiled.value.dispose();
      return undefined;
    }
    return this.textOf(context.getProp(compiled.error, 'message')) ?? 'no message';
  }

  private settle() {
    while (!this.isTimeUp() && this.runtime.hasPendingJob()) {
      this.runtime.executePendingJobs(JOBS_AT_ONCE);
    }
  }

  private returned(value: QuickJSHandle): CodeEnding {
    const said = this.callPrelude('toJson', value);
    if (said.error) {
      const ending = this.thrown(said.error);
      return ending.kind === 'threw' ? { kind: 'unusable', message: ending.message } : ending;
    }
    const json = this.textOf(this.context.getProp(said.value, 'json'), MAX_RESULT_BYTES);
    const remarks = this.textOf(this.context.getProp(said.value, 'remarks')) ?? '';
    if (this.isTimeUp()) return { kind: 'timeout' };
    if (json === undefined || Buffer.byteLength(json) > MAX_RESULT_BYTES) {
      return { kind: 'unusable', message: `its JSON is larger than ${MAX_RESULT_BYTES} bytes` };
    }
    return { kind: 'value', json, remarks };
  }

  private thrown(error: QuickJSHandle, lastLine = Infinity): CodeEnding {
    if (this.isTimeUp()) return { kind: 'timeout' };
    const described = this.callPrelude('describe', error, this.context.newNumber(lastLine));
    if (this.isTimeUp()) return { kind: 'timeout' };
    const text = described.error ? undefined : this.textOf(described.value);
    const message = text ?? 'a value that cannot be shown';
    if (message.startsWith('InternalError: out of memory') || this.isNothingLeft(error)) {
      return { kind: 'memory' };
    }
    return { kind: 'threw', message: message.slice(0, MAX_MESSAGE_LENGTH) };
  }

  /** A string from the code, copied out only when it is a string of at most `maxLength`. */
  private textOf(handle: QuickJSHandle, maxLength = MAX_TEXT_LENGTH): string | undefined {
    if (this.context.typeof(handle) !== 'string') return undefined;
    const length = this.context.getNumber(this.context.getProp(handle, 'length'));
    return length <= maxLength ? this.context.getString(handle) : undefined;
  }

  private callPrelude(name: string, ...args: QuickJSHandle[]) {
    const { context } = this;
    return context.callFunction(context.getProp(this.prelude, name), context.undefined, ...args);
  }

  private provideConsole() {
    const emit = this.context.newFunction('log', (line) => {
      if (this.logs.takesMore) this.logs.add(this.textOf(line) ?? '');
    });
    this.context.unwrapResult(this.callPrelude('provideConsole', emit));
  }

  /** QuickJS throws null when memory does not even suffice for an error. */
  private isNothingLeft(thrown: QuickJSHandle) {
    return this.memory.buffer.byteLength > HEAP_BYTES && this.context.eq(thrown, this.context.null);
  }

  private isTimeUp() {
    return performance.now() >= this.deadline;
  }
}

const linesOf = (code: string) => code.split('\n').length;
