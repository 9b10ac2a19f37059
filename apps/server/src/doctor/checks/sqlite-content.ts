import { fail, type Finding, ok, warn } from '../finding.js';
import { migrationFindings, type MigrationPlan } from './migrations.js';
import { sqliteProbeError } from './sqlite-probe-errors.js';
import { SqliteProbe } from './sqlite-probe.js';

const INTEGRITY_LIMIT_MS = 2_000;
const WITHOUT_TABLE = 'SQLITE_ERROR';

/** What an existing file holds, read only: is it sound, and which migrations are pending. */
export async function* sqliteContentFindings(
  path: string,
  plan: MigrationPlan,
): AsyncIterable<Finding> {
  let probe: SqliteProbe | undefined;
  try {
    probe = await SqliteProbe.inspect(path);
    yield await integrityFinding(probe);
    yield* migrationFindings(await appliedMigrations(probe), plan);
  } catch (error) {
    yield probeError(path, error);
  } finally {
    await probe?.close();
  }
}

/** A large file takes long to read: what was not found wrong in the time counts as sound. */
async function integrityFinding(probe: SqliteProbe): Promise<Finding> {
  const limit = setTimeout(() => probe.interrupt(), INTEGRITY_LIMIT_MS);
  try {
    const found = await probe.value('PRAGMA quick_check(1)');
    if (found === 'ok') return ok('the file is sound (quick_check)');
    return fail(`the file is damaged: ${String(found)}`, 'restore a back-up');
  } catch (error) {
    if (codeOf(error) !== 'SQLITE_INTERRUPT') throw error;
    return warn(
      `the file is too large to be checked in ${INTEGRITY_LIMIT_MS / 1000} s; nothing was found wrong so far`,
      "run sqlite3 <file> 'PRAGMA quick_check' on a copy",
    );
  } finally {
    clearTimeout(limit);
  }
}

async function appliedMigrations(probe: SqliteProbe): Promise<string[]> {
  try {
    return (await probe.rows('SELECT name FROM migrations')).map(({ name }) => String(name));
  } catch (error) {
    if (codeOf(error) === WITHOUT_TABLE) return [];
    throw error;
  }
}

/** A service waits for a file that is locked. */
function probeError(path: string, error: unknown): Finding {
  const found =
    sqliteProbeError(path, error) ??
    fail(
      `${path} cannot be read (${codeOf(error)})`,
      'look at the rights on the file and its folder',
    );
  return codeOf(error) === 'SQLITE_BUSY'
    ? warn(found.text, 'find out who holds it: the service waits for 5 s at most')
    : found;
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'no code';
