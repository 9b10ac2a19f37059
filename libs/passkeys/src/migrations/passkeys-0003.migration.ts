import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/**
 * Columns of passkeys that users see, and the ids of deleted passkeys. In SQL, because TypeORM would copy the whole
 * table on SQLite; the columns of existing passkeys stay empty.
 */
export class Passkeys0003Migration1795318300002 implements MigrationInterface {
  name = 'Passkeys0003Migration1795318300002';

  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE credentials ADD COLUMN name varchar(40)');
    await runner.query('ALTER TABLE credentials ADD COLUMN aaguid varchar(36)');
    await runner.query('ALTER TABLE credentials ADD COLUMN backed_up boolean');
    await runner.query('ALTER TABLE credentials ADD COLUMN last_used_at bigint');
    await runner.createTable(
      new Table({
        name: 'deleted_credentials',
        columns: [{ name: 'id', type: 'varchar', length: '1366', isPrimary: true }],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('deleted_credentials');
    for (const column of ['last_used_at', 'backed_up', 'aaguid', 'name']) {
      await runner.query(`ALTER TABLE credentials DROP COLUMN ${column}`);
    }
  }
}
