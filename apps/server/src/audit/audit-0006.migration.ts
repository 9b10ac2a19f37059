import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For the activity list of the account page: an event's app and browser, and an index without the rows that programs
 * cause in large numbers. In SQL, because TypeORM would copy the whole table on SQLite.
 */
export class Audit0006Migration1795320200006 implements MigrationInterface {
  name = 'Audit0006Migration1795320200006';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE audit_events ADD COLUMN app varchar(80)');
    await runner.query('ALTER TABLE audit_events ADD COLUMN browser varchar(60)');
    await runner.query(
      `CREATE INDEX audit_events_activity ON audit_events (user_id, id) WHERE type NOT IN
       ('tool-called', 'code-exchanged', 'token-refreshed', 'token-revoked', 'grant-replaced',
        'consent-denied', 'consent-refused')`,
    );
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX audit_events_activity');
    await runner.query('ALTER TABLE audit_events DROP COLUMN browser');
    await runner.query('ALTER TABLE audit_events DROP COLUMN app');
  }
}
