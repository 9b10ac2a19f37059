import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disabled accounts. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Accounts0005Migration1795320100011 implements MigrationInterface {
  name = 'Accounts0005Migration1795320100011';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE users ADD COLUMN disabled_at bigint');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE users DROP COLUMN disabled_at');
  }
}
