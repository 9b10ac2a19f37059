import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rows that stand for several events, and the order of ids for those of an account. In SQL, because
 * TypeORM would copy the whole table on SQLite.
 */
export class Audit0002Migration1795305600031 implements MigrationInterface {
  name = 'Audit0002Migration1795305600031';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN count integer NOT NULL DEFAULT 1');
    await runner.query('ALTER TABLE audit_events ADD COLUMN last_at bigint');
    await runner.query('ALTER TABLE audit_events ADD COLUMN network varchar(22)');
    await runner.query('DROP INDEX audit_events_user');
    await runner.query('CREATE INDEX audit_events_user ON audit_events (user_id, id)');
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX audit_events_user');
    await runner.query('CREATE INDEX audit_events_user ON audit_events (user_id, at)');
    for (const column of ['network', 'last_at', 'count']) {
      await runner.query(`ALTER TABLE audit_events DROP COLUMN ${column}`);
    }
  }
}
