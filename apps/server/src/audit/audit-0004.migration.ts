import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cost of tool calls. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Audit0004Migration1795305600033 implements MigrationInterface {
  name = 'Audit0004Migration1795305600033';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN credits bigint');
    await runner.query('ALTER TABLE audit_events ADD COLUMN duration_ms bigint');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events DROP COLUMN duration_ms');
    await runner.query('ALTER TABLE audit_events DROP COLUMN credits');
  }
}
