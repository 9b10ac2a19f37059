import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';

/** In pages of 64 KiB: what this build begins with, and 32 MiB. */
const MEMORY = { initial: 256, maximum: 512 };
// Texts come as JSON: the interpreter ends a plain one at U+0000, and has no halves of surrogate pairs in it.
const PRELUDE = `({
  compile(source) {
    try {
      return new RegExp(JSON.parse(source), 'u');
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  },
  test: (pattern, text) => pattern.test(JSON.parse(text)),
})`;

const wasm = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
const quickjs = await newQuickJSWASMModuleFromVariant(
  newVariant(variant as unknown as QuickJSSyncVariant, {
    wasmModule: new WebAssembly.Module(readFileSync(wasm)),
    wasmMemory: new WebAssembly.Memory(MEMORY),
  }),
);
const context = quickjs.newContext();
const prelude = context.unwrapResult(context.evalCode(PRELUDE));
const compiled = new Map<string, QuickJSHandle>();

/** The interpreter failed in itself, and cannot be used again. */
export class BrokenInterpreterError extends Error {}

function call(name: 'compile' | 'test', ...args: QuickJSHandle[]): QuickJSHandle {
  try {
    const result = context.callMethod(prelude, name, args);
    if (!result.error) return result.value;
    result.error.dispose();
  } catch (cause) {
    throw new BrokenInterpreterError('the interpreter of patterns failed', { cause });
  }
  throw new RangeError('a pattern takes too much memory');
}

function withText<T>(text: string, work: (handle: QuickJSHandle) => T): T {
  const handle = context.newString(JSON.stringify(text));
  try {
    return work(handle);
  } finally {
    handle.dispose();
  }
}

/**
 * A regular expression with flag `u`, run by QuickJS in WebAssembly. V8 itself compiles `[^\p{L}]` ten times in a row
 * for 3.5 seconds, 6 KB of such classes for more than 15, with 250 MiB outside its heap; during that its thread
 * cannot be ended. QuickJS compiles either in some milliseconds within its own memory, and ends at any time.
 */
export class SandboxedPattern {
  private readonly compiled: QuickJSHandle;

  /** @throws SyntaxError; RangeError when it takes too much memory */
  constructor(source: string) {
    const known = compiled.get(source);
    this.compiled = known ?? withText(source, (handle) => call('compile', handle));
    compiled.set(source, this.compiled);
    if (context.sameValue(this.compiled, context.null)) throw new SyntaxError('no pattern');
  }

  /** @throws RangeError when it takes too much memory */
  test(text: string): boolean {
    const found = withText(text, (handle) => call('test', this.compiled, handle));
    try {
      return context.sameValue(found, context.true);
    } finally {
      found.dispose();
    }
  }

  static forget() {
    for (const handle of compiled.values()) handle.dispose();
    compiled.clear();
  }
}
