import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { CodeOutcome, CodeTask } from './code-runner.ts';
import { Sandbox } from './sandbox.ts';

const WASM = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
const wasmModule = new WebAssembly.Module(readFileSync(WASM));

/**
 * Runs in a worker thread, which loads this file directly: built, or as the source, whose types Node strips. So
 * this file and its imports may use only syntax that Node can strip. Posts a message on `started` when the code
 * begins.
 */
export async function runCode(task: CodeTask & { started: MessagePort }): Promise<CodeOutcome> {
  const sandbox = await Sandbox.create(wasmModule);
  task.started.postMessage(true, []);
  return sandbox.run(task);
}
