import { migrations } from '../../database.module.js';
import { type Finding, ok, warn } from '../finding.js';

const KNOWN = migrations.map((Migration) => new Migration().name);

/** Compares what a database says has run with what this version brings. Runs nothing. */
export function* migrationFindings(applied: readonly string[]): Iterable<Finding> {
  const pending = pendingMigrations(applied);
  for (const name of pending) yield ok(`migration ${name} will run at the next start`);
  if (pending.length === 0) yield ok('no migration is pending');

  const unknown = applied.filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) {
    yield warn(
      `the database has migrations that are unknown here: ${unknown.join(', ')}`,
      'when they are not from a module of your own, a newer version was here: start that one, or restore the back-up from before it',
    );
  }
}

export const pendingMigrations = (applied: readonly string[]): string[] =>
  KNOWN.filter((name) => !applied.includes(name));
