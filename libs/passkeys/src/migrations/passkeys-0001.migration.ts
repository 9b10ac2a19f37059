import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Passkeys of the users that accounts keep. */
export class Passkeys0001Migration1795219200002 implements MigrationInterface {
  name = 'Passkeys0001Migration1795219200002';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'credentials',
        columns: [
          { name: 'id', type: 'varchar', length: '1366', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'rp_id', type: 'varchar', length: '260' },
          { name: 'public_key', type: 'text' },
          { name: 'sign_count', type: 'bigint' },
          { name: 'transports', type: 'text' },
          { name: 'backup_eligible', type: 'boolean' },
          { name: 'created_at', type: 'bigint' },
        ],
        indices: [{ name: 'credentials_user_id', columnNames: ['user_id'] }],
        foreignKeys: [
          {
            name: 'credentials_user',
            columnNames: ['user_id'],
            referencedTableName: 'users',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('credentials');
  }
}
