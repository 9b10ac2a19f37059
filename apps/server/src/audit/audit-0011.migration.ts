import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of an account's activity, without the refusals that name it now. In SQL, because TypeORM would copy the
 * whole table on SQLite. On a large table of Postgres operators may have created it before, concurrently. Replicas of
 * an earlier version read by `audit_events_user` meanwhile.
 */
export class Audit0011Migration1796000000011 implements MigrationInterface {
  name = 'Audit0011Migration1796000000011';

  async up(runner: QueryRunner) {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS audit_events_personal ON audit_events (user_id, id) WHERE type NOT IN
       ('tool-called', 'code-exchanged', 'token-refreshed', 'token-revoked', 'grant-replaced',
        'consent-denied', 'consent-refused', 'call-refused', 'token-refused', 'sign-in-failed',
        'managed-access-refused')`,
    );
    await runner.query('DROP INDEX audit_events_activity');
  }

  async down(runner: QueryRunner) {
    await runner.query(
      `CREATE INDEX audit_events_activity ON audit_events (user_id, id) WHERE type NOT IN
       ('tool-called', 'code-exchanged', 'token-refreshed', 'token-revoked', 'grant-replaced',
        'consent-denied', 'consent-refused')`,
    );
    await runner.query('DROP INDEX audit_events_personal');
  }
}
