import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The details of a row beyond its type. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Audit0003Migration1795305600032 implements MigrationInterface {
  name = 'Audit0003Migration1795305600032';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN detail varchar(200)');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events DROP COLUMN detail');
  }
}
