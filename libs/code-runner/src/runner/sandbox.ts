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
import { RunLogs } from './run-logs.ts';
import { VM_PRELUDE } from './vm-prelude.ts';

// As a module it is the variant itself; its types are those of its CommonJS twin.
const BASE = variant as unknown as QuickJSSyncVariant;

const PAGE_BYTES = 65_536;
const FIRST_MEMORY_BYTES = 16 * 1024 * 1024;
const HEAP_BYTES = 32 * 1024 * 1024;
/** The heap, the interpreter itself and the holes between what it allocates. */
const MEMORY_BYTES = 64 * 1024 * 1024;
const STACK_BYTES = 1024 * 1024;
const MAX_RESULT_BYTES = 65_536;
const MAX_MESSAGE_LENGTH = 500;
/** A bit more than what the prelude cuts texts to. */
const MAX_TEXT_LENGTH = 20_000;
const JOBS_AT_ONCE = 1_000;

/** One run of code in an interpreter of its own, which is thrown away with its memory. */
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
      // WebAssembly itself gave up: its memory or the stack of the thread is at an end.
      return this.isTimeUp() ? { kind: 'timeout' } : { kind: 'memory' };
    }
  }

  private evaluate(code: string, input: string): CodeEnding {
    const { context } = this;
    const made = context.evalCode(`(async function (input) {${code}\n})`, 'code.js', {
      type: 'global',
    });
    if (made.error) return this.thrown(made.error);
    const parsed = this.callPrelude('parse', context.newString(input));
    if (parsed.error) return this.thrown(parsed.error);
    const called = context.callFunction(made.value, context.undefined, parsed.value);
    if (called.error) return this.thrown(called.error);
    this.settle();
    const state = context.getPromiseState(called.value);
    if (this.isTimeUp()) return { kind: 'timeout' };
    if (state.type === 'pending') return { kind: 'unsettled' };
    return state.type === 'rejected' ? this.thrown(state.error) : this.returned(state.value);
  }

  /** Runs what waits on promises, until nothing does or time is up. */
  private settle() {
    while (!this.isTimeUp() && this.runtime.hasPendingJob()) {
      this.runtime.executePendingJobs(JOBS_AT_ONCE);
    }
  }

  private returned(value: QuickJSHandle): CodeEnding {
    const json = this.callPrelude('toJson', value);
    if (json.error) {
      const ending = this.thrown(json.error);
      return ending.kind === 'threw' ? { kind: 'unusable', message: ending.message } : ending;
    }
    const text = this.textOf(json.value, MAX_RESULT_BYTES);
    if (this.isTimeUp()) return { kind: 'timeout' };
    if (text === undefined || Buffer.byteLength(text) > MAX_RESULT_BYTES) {
      return { kind: 'unusable', message: `its JSON is larger than ${MAX_RESULT_BYTES} bytes` };
    }
    return { kind: 'value', json: text };
  }

  private thrown(error: QuickJSHandle): CodeEnding {
    if (this.isTimeUp()) return { kind: 'timeout' };
    const described = this.callPrelude('describe', error);
    if (this.isTimeUp()) return { kind: 'timeout' };
    const text = described.error ? undefined : this.textOf(described.value);
    const message = text ?? 'a value that cannot be shown';
    if (message.startsWith('InternalError: out of memory') || this.isNothingLeft(error)) {
      return { kind: 'memory' };
    }
    return { kind: 'threw', message: message.slice(0, MAX_MESSAGE_LENGTH) };
  }

  /** A string of the code's, copied out only when it is one and not longer than that. */
  private textOf(handle: QuickJSHandle, maxLength = MAX_TEXT_LENGTH): string | undefined {
    if (this.context.typeof(handle) !== 'string') return undefined;
    const length = this.context.getNumber(this.context.getProp(handle, 'length'));
    return length <= maxLength ? this.context.getString(handle) : undefined;
  }

  private callPrelude(name: string, argument: QuickJSHandle) {
    const { context } = this;
    return context.callFunction(context.getProp(this.prelude, name), context.undefined, argument);
  }

  private provideConsole() {
    const emit = this.context.newFunction('log', (line) => {
      if (this.logs.takesMore) this.logs.add(this.textOf(line) ?? '');
    });
    this.context.unwrapResult(this.callPrelude('provideConsole', emit));
  }

  /** QuickJS throws null when there is no room even for the error. */
  private isNothingLeft(thrown: QuickJSHandle) {
    return this.memory.buffer.byteLength > HEAP_BYTES && this.context.eq(thrown, this.context.null);
  }

  private isTimeUp() {
    return performance.now() >= this.deadline;
  }
}
