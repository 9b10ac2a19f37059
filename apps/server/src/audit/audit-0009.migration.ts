import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  'audit_events_type ON audit_events (type, id)',
  'audit_events_actor ON audit_events (actor, id) WHERE actor IS NOT NULL',
  'audit_events_network ON audit_events (network, id) WHERE network IS NOT NULL',
];

/**
 * Indexes for the other filters of administration. In SQL, because TypeORM would copy the whole table on SQLite. On a
 * large table of Postgres operators may have created them before, concurrently.
 */
export class Audit0009Migration1795500000009 implements MigrationInterface {
  name = 'Audit0009Migration1795500000009';

  async up(runner: QueryRunner) {
    for (const index of INDEXES) await runner.query(`CREATE INDEX IF NOT EXISTS ${index}`);
  }

  async down(runner: QueryRunner) {
    for (const index of INDEXES) await runner.query(`DROP INDEX ${index.split(' ', 1)[0]}`);
  }
}
