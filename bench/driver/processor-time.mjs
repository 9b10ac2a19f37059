// What processes have used of the processor, as the operating system counts it.
import { readFileSync } from 'node:fs';

/** Clock ticks a second, as `/proc` counts them on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Processor time in seconds of a process with all its threads and descendants, those that ended included, so that a
 * connection of Postgres that closes takes nothing away.
 */
export function processorSeconds(pid) {
  const fields = stat(pid);
  if (fields === undefined) return 0;
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  const living = childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0);
  return (user + system + endedUser + endedSystem) / TICKS + living;
}

const stat = (pid) => read(`/proc/${pid}/stat`)?.split(') ').at(-1).split(' ');

const childrenOf = (pid) =>
  (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean);

/** Undefined when the process is gone. */
function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

/** Resident memory in KiB. */
export const residentKib = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);
