import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { CodeEnding, CodeOutcome, CodeTask } from './code-outcome.ts';
import { scriptOf } from './code-script.ts';
import { RunLogs } from './run-logs.ts';
import { VM_PRELUDE } from './vm-prelude.ts';

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

/** One run of code in its own interpreter, which is discarded with its memory. */
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

  /** Runs pending promise jobs until none is left or time is up. */
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

  /** `lastLine` is the last line of the code, when the code could not be compiled. */
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
