import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns of sessions that users see, and how each session began. In SQL, because TypeORM would copy the whole
 * table on SQLite. Existing sessions get an id; the passkey that they began with is unknown.
 */
export class Accounts0002Migration1795318300001 implements MigrationInterface {
  name = 'Accounts0002Migration1795318300001';

  async up(runner: QueryRunner) {
    const random =
      runner.connection.options.type === 'postgres'
        ? "REPLACE(CAST(gen_random_uuid() AS text), '-', '')"
        : 'LOWER(HEX(RANDOMBLOB(16)))';
    await runner.query("ALTER TABLE sessions ADD COLUMN id varchar(32) NOT NULL DEFAULT ''");
    await runner.query('ALTER TABLE sessions ADD COLUMN browser varchar(60)');
    await runner.query(
      "ALTER TABLE sessions ADD COLUMN began_by varchar(12) NOT NULL DEFAULT 'passkey'",
    );
    await runner.query('ALTER TABLE sessions ADD COLUMN credential_id varchar(1366)');
    await runner.query(`UPDATE sessions SET id = ${random}`);
  }

  async down(runner: QueryRunner) {
    for (const column of ['credential_id', 'began_by', 'browser', 'id']) {
      await runner.query(`ALTER TABLE sessions DROP COLUMN ${column}`);
    }
  }
}
