import { type Finding, ok, warn } from '../finding.js';

/** What is to be on the database, and who sees to it. */
export interface MigrationPlan {
  /** Names, in their order. */
  readonly known: readonly string[];
  /** Otherwise somebody calls `gatehouse migrate`. */
  readonly runAtStart: boolean;
}

/** Compares what a database says has run with what this version brings. Runs nothing. */
export function* migrationFindings(
  applied: readonly string[],
  plan: MigrationPlan,
): Iterable<Finding> {
  const pending = pendingMigrations(applied, plan);
  for (const name of pending) yield pendingFinding(name, plan);
  if (pending.length === 0) yield ok('no migration is pending');

  const unknown = applied.filter((name) => !plan.known.includes(name));
  if (unknown.length > 0) {
    yield warn(
      `the database has migrations that are unknown here: ${unknown.join(', ')}`,
      'when they are not from a module of your own, a newer version was here: start that one, or restore the back-up from before it',
    );
  }
}

export const pendingMigrations = (
  applied: readonly string[],
  { known }: Pick<MigrationPlan, 'known'>,
): string[] => known.filter((name) => !applied.includes(name));

const pendingFinding = (name: string, { runAtStart }: MigrationPlan) =>
  runAtStart
    ? ok(`migration ${name} will run at the next start`)
    : warn(`migration ${name} is pending, and MIGRATE is off`, 'run gatehouse migrate');
