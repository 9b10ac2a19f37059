import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A refresh changes no column of grants that is indexed, so that Postgres writes none of their indexes. In SQL,
 * because TypeORM would copy the whole table on SQLite. Whoever does not know `sweep_due_at` yet, a replica that
 * is about to be replaced, begins grants that are due at once, and sweeps without the index.
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

/** In a page of Postgres, for the next version of a row beside the one that it takes the place of. */
async function leaveRoom(runner: QueryRunner, how: string) {
  if (runner.connection.options.type !== 'postgres') return;
  await runner.query(`ALTER TABLE oauth_grants ${how}`);
}
