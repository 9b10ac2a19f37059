import { fileURLToPath } from 'node:url';
import { isStale } from '../../bin/build-when-stale.mjs';

const BUILT = new URL('../../dist/apps/server/src/', import.meta.url);

/** The path of a built file; throws when it is older than a source file, so that no spec tests an outdated build. */
export function builtFile(path: 'main.js'): string {
  const file = new URL(path, BUILT);
  if (isStale(file))
    throw new Error(`${fileURLToPath(file)} is not built, or older than a source: npm run build`);
  return fileURLToPath(file);
}
