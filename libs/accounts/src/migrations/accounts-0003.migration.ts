import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Recovery codes and administrators' links. */
export class Accounts0003Migration1795320000003 implements MigrationInterface {
  name = 'Accounts0003Migration1795320000003';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'recovery_codes',
        columns: [
          { name: 'code_hash', type: 'varchar', length: '43', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'created_at', type: 'bigint' },
          { name: 'expires_at', type: 'bigint', isNullable: true },
          { name: 'used_at', type: 'bigint', isNullable: true },
        ],
        indices: [
          { name: 'recovery_codes_user_id', columnNames: ['user_id'] },
          { name: 'recovery_codes_expires_at', columnNames: ['expires_at'] },
        ],
        foreignKeys: [
          {
            name: 'recovery_codes_user',
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
    await runner.dropTable('recovery_codes');
  }
}
