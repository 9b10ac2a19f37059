import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The facts of `detail` as separate values. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Audit0008Migration1795440000008 implements MigrationInterface {
  name = 'Audit0008Migration1795440000008';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN facts text');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events DROP COLUMN facts');
  }
}
