import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts ordered by creation. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Accounts0004Migration1795320100001 implements MigrationInterface {
  name = 'Accounts0004Migration1795320100001';

  async up(runner: QueryRunner) {
    await runner.query('CREATE INDEX users_created_at ON users (created_at, id)');
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX users_created_at');
  }
}
