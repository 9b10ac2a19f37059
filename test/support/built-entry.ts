import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'];
const NOT_BUILT = ['**/*.spec.ts', '**/*.contract.ts'];

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Path of a file of the built server, such as `main.js`. Throws when a source is newer, so that no spec passes
 * on what the sources said before; `npm run mutants` builds nothing and has to do with the build there is.
 */
export function builtEntry(path: string): string {
  const entry = join(ROOT, 'dist/apps/server/src', path);
  const builtAt = changedAt(entry);
  if (builtAt === 0) throw new Error(`${path} is not built: npm run build`);
  if (process.env['MUTANT'] === '1') return entry;
  const newer = globSync(SOURCES, { cwd: ROOT, exclude: NOT_BUILT }).find(
    (source) => changedAt(join(ROOT, source)) > builtAt,
  );
  if (newer !== undefined) throw new Error(`${newer} is newer than the build: npm run build`);
  return entry;
}
