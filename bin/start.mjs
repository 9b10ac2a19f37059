// Serves the built service, after building it when it was never built or a source is newer.
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const entry = new URL('dist/apps/server/src/main.js', root);
const SOURCES = ['apps/**/*.ts', 'libs/**/*.ts', '*.json'];

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isStale() {
  const builtAt = changedAt(entry);
  return SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })).some(
    (path) => changedAt(new URL(path, root)) > builtAt,
  );
}

if (isStale()) {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

await import(entry.href);
