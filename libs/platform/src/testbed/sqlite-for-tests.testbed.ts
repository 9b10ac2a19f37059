import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A path for a new SQLite file in a folder of its own. */
export async function sqliteForTests() {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  const path = join(folder, 'test.sqlite');
  return {
    path,
    url: `sqlite:${path}`,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
