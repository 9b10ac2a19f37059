import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the resource to grants. In SQL, because TypeORM would copy the whole table on SQLite. Existing grants, and
 * those of a replica of the previous version, are for `/svc/mcp` of their origin, which null stands for.
 */
export class OAuth0006Migration1795450000001 implements MigrationInterface {
  name = 'OAuth0006Migration1795450000001';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants ADD COLUMN resource varchar(512)');
  }

  async down(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants DROP COLUMN resource');
  }
}
