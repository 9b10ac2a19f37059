// Which core the measured server has for itself, and which are left to the load and the stores.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

const hasTaskset = (() => {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Cores that this process may use, such as `[0, 1, 2, 3]` for `0-3`. */
function allowedCores() {
  const [, list] = /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync('/proc/self/status', 'latin1'));
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

const cores = hasTaskset ? allowedCores() : [];

/** Cores for replicas, one each; where there are fewer than three cores, the replicas share one. */
const SERVER_CORES = cores.length > 2 ? cores.slice(-2) : cores.slice(-1);

/** Puts the load, and what it starts, on the cores that no server has. */
export function stepAside() {
  const left = cores.filter((core) => !SERVER_CORES.includes(core));
  if (left.length > 0) execFileSync('taskset', ['-acp', left.join(), String(process.pid)]);
}

/** What to put in front of the command of the `n`th replica. */
export const pinned = (n = 0) =>
  hasTaskset ? ['taskset', '-c', String(SERVER_CORES[n % SERVER_CORES.length])] : [];

/** A sentence about the machine, for the head of the results. */
export function machine() {
  const model = cpus()[0].model.replaceAll(/\s+/g, ' ').trim();
  const pinning = hasTaskset
    ? 'the server pinned to one of them'
    : 'no `taskset` here, so that nothing is pinned and the figures move more';
  return `${model}, ${availableParallelism()} cores, ${pinning}; Node ${process.version}`;
}
