import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operator who acted. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Audit0005Migration1795320100005 implements MigrationInterface {
  name = 'Audit0005Migration1795320100005';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN actor varchar(64)');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events DROP COLUMN actor');
  }
}
