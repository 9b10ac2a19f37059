import { type Finding, ok, warn } from '../finding.js';

/** The migrations that the database should have, and how they are run. */
export interface MigrationPlan {
  /** Names, in the order in which they run. */
  readonly known: readonly string[];
  /** Whether the service runs them at start; otherwise an operator runs `gatehouse migrate`. */
  readonly runAtStart: boolean;
}

/** Compares the migrations in the database with those of this version. Runs none. */
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
