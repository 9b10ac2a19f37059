import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the filters of administration. In SQL, because TypeORM would copy the whole table on SQLite. */
export class Audit0007Migration1795430000007 implements MigrationInterface {
  name = 'Audit0007Migration1795430000007';

  async up(runner: QueryRunner) {
    await runner.query('CREATE INDEX audit_events_client ON audit_events (client_id, id)');
    await runner.query('CREATE INDEX audit_events_request ON audit_events (request_id)');
  }

  async down(runner: QueryRunner) {
    await runner.query('DROP INDEX audit_events_request');
    await runner.query('DROP INDEX audit_events_client');
  }
}
