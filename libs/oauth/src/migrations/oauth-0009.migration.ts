import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for the bounds of an account: its active grants are found without its ended ones, which stay for 30 days,
 * and its oldest consent forms without their rows. In SQL, because TypeORM would copy the whole table on SQLite.
 */
export class OAuth0009Migration1795492200009 implements MigrationInterface {
  name = 'OAuth0009Migration1795492200009';

  async up(runner: QueryRunner) {
    await runner.query(
      'CREATE INDEX oauth_grants_user_active ON oauth_grants (user_id, revoked_at, client_id)',
    );
    await runner.query('DROP INDEX oauth_grants_user_created');
    await runner.query('DROP INDEX oauth_grants_user_client');
    await runner.query(
      'CREATE INDEX oauth_consents_user_open ON oauth_consents (user_id, expires_at, handle_hash)',
    );
    await runner.query('DROP INDEX oauth_consents_user_client');
  }

  async down(runner: QueryRunner) {
    await runner.query(
      'CREATE INDEX oauth_consents_user_client ON oauth_consents (user_id, client_id)',
    );
    await runner.query('DROP INDEX oauth_consents_user_open');
    await runner.query(
      'CREATE INDEX oauth_grants_user_client ON oauth_grants (user_id, client_id)',
    );
    await runner.query(
      'CREATE INDEX oauth_grants_user_created ON oauth_grants (user_id, created_at)',
    );
    await runner.query('DROP INDEX oauth_grants_user_active');
  }
}
