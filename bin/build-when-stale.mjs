// Builds the service when it was never built or a source is newer.
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const SOURCES = ['apps/**/*.ts', 'libs/**/*.ts', 'libs/**/*.mjs', '*.json'];

/** Not part of a build. */
const TESTS = /\.(?:spec|contract)\.ts$/;

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What a build writes last. */
const LAST = new URL('dist/libs/ui-templates/bundle/page-scripts.mjs', root);

/** Whether the built file with this address, or the last of its build, is not there or older than a source. */
export function isStale(entry) {
  const builtAt = Math.min(changedAt(entry), changedAt(LAST));
  return SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !TESTS.test(path))
    .some((path) => changedAt(new URL(path, root)) > builtAt);
}

/** The address of a built file; ends the process when the build fails. */
export function builtEntry(path) {
  const entry = new URL(`dist/apps/server/src/${path}`, root);
  if (!isStale(entry)) return entry.href;
  const why = changedAt(LAST) === 0 ? 'this is the first start' : 'a source has changed';
  console.error(`Building Gatehouse, since ${why}: this takes some ten seconds`);
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  return entry.href;
}
