import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const LAST_SEEN = new TableIndex({
  name: 'sessions_last_seen',
  columnNames: ['user_id', 'last_seen_at'],
});
const USER_ID = new TableIndex({ name: 'sessions_user_id', columnNames: ['user_id'] });

/** Replaces the index of an account's sessions by one that is ordered by their last use. */
export class Accounts0007Migration1795392000007 implements MigrationInterface {
  name = 'Accounts0007Migration1795392000007';

  async up(runner: QueryRunner) {
    await runner.createIndex('sessions', LAST_SEEN);
    await runner.dropIndex('sessions', USER_ID);
  }

  async down(runner: QueryRunner) {
    await runner.createIndex('sessions', USER_ID);
    await runner.dropIndex('sessions', LAST_SEEN);
  }
}
