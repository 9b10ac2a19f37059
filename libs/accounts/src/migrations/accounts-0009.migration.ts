import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The origin that a recovery code works on. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Accounts0009Migration1795811900009 implements MigrationInterface {
  name = 'Accounts0009Migration1795811900009';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE recovery_codes ADD COLUMN origin varchar(300)');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE recovery_codes DROP COLUMN origin');
  }
}
