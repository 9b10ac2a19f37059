import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A resource elsewhere, as `RESOURCES_FILE` lists it. */
export const NOTES = {
  resource: 'https://notes.example/mcp',
  name: 'Notes & more',
  scopes: [
    { name: 'notes:read', description: 'read your notes' },
    { name: 'notes:write', description: 'write notes for you' },
  ],
  tokens: 'opaque',
};

/** Another one, at the root of its host. */
export const FILES = {
  resource: 'https://files.example',
  name: 'Files',
  scopes: [{ name: 'files:read', description: 'read your files' }],
  tokens: 'opaque',
};

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** The variable that lists these resources, in a file of its own. */
export function resourcesFile(...resources: readonly object[]) {
  const path = join(folder, `${(files += 1)}.json`);
  writeFileSync(path, JSON.stringify(resources));
  return { RESOURCES_FILE: path };
}
