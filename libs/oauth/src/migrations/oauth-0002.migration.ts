import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the refresh-token family and the latest arrival to grants. In SQL, because TypeORM would copy the
 * whole table on SQLite; these statements are valid on both databases.
 */
export class OAuth0002Migration1795305600001 implements MigrationInterface {
  name = 'OAuth0002Migration1795305600001';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_grants ADD COLUMN family_hash varchar(43)');
    await runner.query(
      'ALTER TABLE oauth_grants ADD COLUMN arrived_generation integer NOT NULL DEFAULT 0',
    );
    await runner.query('ALTER TABLE oauth_grants ADD COLUMN arrived_at bigint');
    await runner.query('CREATE INDEX oauth_grants_family ON oauth_grants (family_hash)');
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX oauth_grants_family');
    for (const column of ['arrived_at', 'arrived_generation', 'family_hash']) {
      await runner.query(`ALTER TABLE oauth_grants DROP COLUMN ${column}`);
    }
  }
}
