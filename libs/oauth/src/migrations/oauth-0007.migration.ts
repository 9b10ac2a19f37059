import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds to grants the trusted issuer that decides about them. In SQL, because TypeORM would copy the whole table on
 * SQLite. Existing grants, and those of a replica of the previous version, are ones that people consented to.
 */
export class OAuth0007Migration1795460000017 implements MigrationInterface {
  name = 'OAuth0007Migration1795460000017';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants ADD COLUMN managed_by varchar(64)');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants DROP COLUMN managed_by');
  }
}
