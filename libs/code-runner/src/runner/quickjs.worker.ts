import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import type { CodeOutcome, CodeTask } from './code-runner.ts';
import { Sandbox } from './sandbox.ts';

const WASM = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
const wasmModule = new WebAssembly.Module(readFileSync(WASM));

/**
 * Runs in a worker thread, which loads this file built, or as source whose types Node strips: this file and its
 * imports have only such syntax. Posts on `started` when the code begins.
 */
export async function runCode(task: CodeTask & { started: MessagePort }): Promise<CodeOutcome> {
  const sandbox = await Sandbox.create(wasmModule);
  task.started.postMessage(true, []);
  return sandbox.run(task);
}
