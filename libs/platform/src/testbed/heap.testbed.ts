import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs a full garbage collection in this process. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await turn();
    collect();
  }
}

/** Bytes of this process's heap that are in use after a garbage collection. */
export async function liveHeapBytes(): Promise<number> {
  await collectGarbage();
  return process.memoryUsage().heapUsed;
}
