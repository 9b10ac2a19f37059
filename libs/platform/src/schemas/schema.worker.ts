import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '../json.js';
import { metaSchemaOf, mismatchIn, schemaFault } from './json-schema.ts';
import { BrokenInterpreterError, SandboxedPattern } from './sandboxed-pattern.ts';
import {
  END,
  type SchemaAnswer,
  type SchemaMessage,
  type SchemaTask,
  TAKES_TOO_LONG,
} from './schema-check.ts';

// Runs in a worker thread, which loads this file as built, or as source whose types Node strips: neither this file nor
// its imports may use decorators, parameter properties or enums.

// The library makes expressions of patterns.
Object.assign(globalThis, { RegExp: SandboxedPattern });
// Warms up, so that the first check takes no longer than later ones.
metaSchemaOf('2020-12').validate({ type: 'object', pattern: 'a' });

// Where all processors are busy, the thread that serves everyone goes first. Only Linux has priorities of threads;
// elsewhere this would be that of the process.
if (process.platform === 'linux') {
  try {
    setPriority(0, Math.min(getPriority(0) + 5, 19));
  } catch {
    // Not where a filter of system calls forbids it.
  }
}

const say = (message: SchemaMessage) => parentPort?.postMessage(message, []);

parentPort?.on('message', (task: SchemaTask | typeof END) => {
  if (task === END) {
    parentPort?.close();
    return;
  }
  const began = process.threadCpuUsage();
  say({ began });
  const answer = answerTo(task);
  const { user, system } = process.threadCpuUsage(began);
  say({ answer, usedMs: (user + system) / 1000 });
});

function answerTo(task: SchemaTask): SchemaAnswer {
  try {
    if ('value' in task) {
      return { fault: mismatchIn(JSON.parse(task.schema) as JsonObject, JSON.parse(task.value)) };
    }
    return faultAmong(JSON.parse(task.schemas) as JsonObject[]);
  } catch (error) {
    // A circular reference overflows the stack.
    if (error instanceof RangeError) return { fault: TAKES_TOO_LONG };
    // The library encodes names as URI components.
    if (error instanceof URIError) return { fault: 'they have a name that is no Unicode text' };
    if (error instanceof BrokenInterpreterError) throw error;
    return { fault: 'their schema cannot be used' };
  } finally {
    SandboxedPattern.forget();
  }
}

function faultAmong(schemas: readonly JsonObject[]): SchemaAnswer {
  for (const [at, schema] of schemas.entries()) {
    say({ at });
    const fault = schemaFault(schema);
    if (fault !== undefined) return { fault, at };
  }
  return {};
}
