import type { MigrationInterface, QueryRunner } from 'typeorm';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Adds the time of the first grant and the size to registrations. In SQL, because TypeORM would copy the
 * whole table on SQLite.
 */
export class OAuth0003Migration1795305600021 implements MigrationInterface {
  name = 'OAuth0003Migration1795305600021';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE oauth_clients ADD COLUMN granted_at bigint');
    await runner.query(
      'ALTER TABLE oauth_clients ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0',
    );
    await runner.query('UPDATE oauth_clients SET stored_bytes = 1024 + LENGTH(metadata)');
    // A registration that lasts longer than its initial 24 hours got a grant.
    await runner.query(
      `UPDATE oauth_clients SET granted_at = last_used_at WHERE expires_at - created_at > ${DAY_MS}`,
    );
    await runner.query(
      `UPDATE oauth_clients SET expires_at = created_at + ${30 * DAY_MS} WHERE granted_at IS NULL`,
    );
    await runner.query(
      'CREATE INDEX oauth_clients_untried ON oauth_clients (granted_at, created_at, stored_bytes)',
    );
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX oauth_clients_untried');
    await runner.query(
      `UPDATE oauth_clients SET expires_at = created_at + ${DAY_MS} WHERE granted_at IS NULL`,
    );
    await runner.query('ALTER TABLE oauth_clients DROP COLUMN stored_bytes');
    await runner.query('ALTER TABLE oauth_clients DROP COLUMN granted_at');
  }
}
