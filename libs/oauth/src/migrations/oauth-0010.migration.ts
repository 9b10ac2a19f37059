import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  'oauth_clients_created ON oauth_clients (created_at, id)',
  'oauth_grants_client ON oauth_grants (client_id, created_at)',
  'oauth_grants_published ON oauth_grants (client_id) WHERE published IS NOT NULL',
  'oauth_consents_client ON oauth_consents (client_id)',
];

/**
 * Indexes for what administrators ask about clients; a refresh changes none of these columns. In SQL, because TypeORM
 * would copy the whole table on SQLite. On a large table of Postgres operators may have created them before,
 * concurrently.
 */
export class OAuth0010Migration1795500000010 implements MigrationInterface {
  name = 'OAuth0010Migration1795500000010';

  async up(runner: QueryRunner) {
    for (const index of INDEXES) await runner.query(`CREATE INDEX IF NOT EXISTS ${index}`);
  }

  async down(runner: QueryRunner) {
    for (const index of INDEXES) await runner.query(`DROP INDEX ${index.split(' ', 1)[0]}`);
  }
}
