import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/**
 * Tombstones of deleted passkeys by a hash of their ids, each with its account. `deleted_credentials` stays for
 * replicas of an older version; `buryOlder` moves its rows, since SQLite's SQL has no SHA-256.
 */
export class Passkeys0004Migration1795392000008 implements MigrationInterface {
  name = 'Passkeys0004Migration1795392000008';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'credential_tombstones',
        columns: [
          { name: 'id_hash', type: 'varchar', length: '43', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64', isNullable: true },
          { name: 'deleted_at', type: 'bigint' },
        ],
        indices: [
          { name: 'credential_tombstones_user_id', columnNames: ['user_id', 'deleted_at'] },
        ],
        foreignKeys: [
          {
            name: 'credential_tombstones_user',
            columnNames: ['user_id'],
            referencedTableName: 'users',
            referencedColumnNames: ['id'],
            onDelete: 'SET NULL',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('credential_tombstones');
  }
}
