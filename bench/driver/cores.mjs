// Which core the measured server has for itself, and which are left to the load and the stores.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

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

let serverCores = [];

/**
 * From now on servers have cores of their own, and the load with all that it starts has the others. Of fewer than
 * three cores, replicas share one.
 */
export function divideCores() {
  if (!hasTaskset) return;
  const cores = allowedCores();
  serverCores = cores.length > 2 ? cores.slice(-2) : cores.slice(-1);
  const left = cores.filter((core) => !serverCores.includes(core));
  if (left.length > 0) execFileSync('taskset', ['-acp', left.join(), String(process.pid)]);
}

/** What to put in front of the command of the `n`th replica. */
export const pinned = (n = 0) =>
  serverCores.length > 0 ? ['taskset', '-c', String(serverCores[n % serverCores.length])] : [];

/** The machine in words, for the head of the results. */
export function machine() {
  const model = cpus()[0].model.replaceAll(/\s+/g, ' ').trim();
  const pinning = hasTaskset
    ? 'the server pinned to one of them'
    : 'no `taskset`, so that nothing is pinned and the figures move more';
  return `${model}, ${cpus().length} cores, ${pinning}; Node ${process.version}`;
}
