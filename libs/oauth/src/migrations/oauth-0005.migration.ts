import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Moves the index of grants to a column that a refresh does not change, so that Postgres writes no index on a
 * refresh. In SQL, because TypeORM would copy the whole table on SQLite. A replica of the previous version does
 * not know `sweep_due_at`: grants that it creates are due at once, and it sweeps without the index.
 */
export class OAuth0005Migration1795341600001 implements MigrationInterface {
  name = 'OAuth0005Migration1795341600001';

  async up(runner: QueryRunner) {
    await runner.query(
      'ALTER TABLE oauth_grants ADD COLUMN sweep_due_at bigint NOT NULL DEFAULT 0',
    );
    await runner.query('CREATE INDEX oauth_grants_sweep_due_at ON oauth_grants (sweep_due_at)');
    await runner.query('DROP INDEX oauth_grants_expires_at');
    await leaveRoom(runner, 'SET (fillfactor = 85)');
  }

  async down(runner: QueryRunner) {
    await runner.query('CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at)');
    await runner.query('DROP INDEX oauth_grants_sweep_due_at');
    await runner.query('ALTER TABLE oauth_grants DROP COLUMN sweep_due_at');
    await leaveRoom(runner, 'RESET (fillfactor)');
  }
}

/** Leaves room in each Postgres page, so that the new version of an updated row fits beside the old one. */
async function leaveRoom(runner: QueryRunner, how: string) {
  if (runner.connection.options.type !== 'postgres') return;
  await runner.query(`ALTER TABLE oauth_grants ${how}`);
}
