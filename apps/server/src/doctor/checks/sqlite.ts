import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, type Finding, ok } from '../finding.js';
import type { MigrationPlan } from './migrations.js';
import { sqliteContentFindings } from './sqlite-content.js';
import { folderFindings } from './sqlite-folder.js';
import { fileRightsFinding } from './sqlite-rights.js';

/**
 * The place of the file first, then what is in it. The file itself is never opened here but by SQLite: closing it
 * would drop the locks that SQLite holds for this process.
 */
export async function* sqliteFindings(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const file = await stat(path).catch(() => undefined);
  let usable = file === undefined || file.isFile();
  if (!usable) yield fail(`${path} is not a file`, 'let DATABASE_URL name a file');
  for await (const finding of folderFindings(dirname(path))) {
    yield finding;
    usable &&= finding.severity !== 'FAIL';
  }
  if (!usable) return;
  if (file === undefined) {
    yield ok(`${path} does not exist yet: it is made at the next start`);
    return;
  }
  yield await writableFinding(path, file.uid);
  yield await fileRightsFinding(path);
  yield* sqliteContentFindings(path, plan);
}

async function writableFinding(path: string, owner: number): Promise<Finding> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return ok(`${path} can be read and written`);
  } catch {
    return fail(
      `${path} cannot be read and written by this user; it belongs to user ${owner}`,
      'give the file and its folder to the user that the service runs as, and run the doctor as that user',
    );
  }
}
