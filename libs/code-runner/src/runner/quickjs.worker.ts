import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { CodeOutcome, CodeTask } from './code-outcome.ts';
import { Sandbox } from './sandbox.ts';

const WASM = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
const wasmModule = new WebAssembly.Module(readFileSync(WASM));

/**
 * Runs in a worker thread, which loads this file by itself: as built, or as the source whose types
 * Node strips. So nothing here or in what it imports may need more than that.
 * Says over `started` when the code begins.
 */
export async function runCode(task: CodeTask & { started: MessagePort }): Promise<CodeOutcome> {
  const sandbox = await Sandbox.create(wasmModule);
  task.started.postMessage(true, []);
  return sandbox.run(task);
}
