import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects all garbage that this process has. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await turn();
    collect();
  }
}

/** Bytes of the heap of this process that are still in use after garbage was collected. */
export async function liveHeapBytes(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}
