import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-json-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** The path of a file of its own with this content, for a variable that names one. */
export function jsonFile(content: object): string {
  const path = join(folder, `${(files += 1)}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}
