import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to grants all redirect hosts of their client. In SQL, because TypeORM would copy the whole table on SQLite.
 * Existing grants, and those of a replica of the previous version, have none until their next refresh or assertion:
 * until then the one host counts that their user was sent to.
 */
export class OAuth0011Migration1795542000011 implements MigrationInterface {
  name = 'OAuth0011Migration1795542000011';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants ADD COLUMN client_hosts text');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants DROP COLUMN client_hosts');
  }
}
