import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Users and their browser sessions. */
export class Accounts0001Migration1795219200001 implements MigrationInterface {
  name = 'Accounts0001Migration1795219200001';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'users',
        columns: [
          { name: 'id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'display_name', type: 'varchar', length: '40' },
          { name: 'created_at', type: 'bigint' },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'sessions',
        columns: [
          { name: 'token_hash', type: 'varchar', length: '43', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'origin', type: 'varchar', length: '300' },
          { name: 'created_at', type: 'bigint' },
          { name: 'last_seen_at', type: 'bigint' },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [
          { name: 'sessions_user_id', columnNames: ['user_id'] },
          { name: 'sessions_expires_at', columnNames: ['expires_at'] },
        ],
        foreignKeys: [
          {
            name: 'sessions_user',
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
    await runner.dropTable('sessions');
    await runner.dropTable('users');
  }
}
