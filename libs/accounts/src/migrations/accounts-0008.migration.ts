import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Identities at other issuers, each of one account. */
export class Accounts0008Migration1795460000008 implements MigrationInterface {
  name = 'Accounts0008Migration1795460000008';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'external_identities',
        columns: [
          { name: 'issuer', type: 'varchar', length: '255', isPrimary: true },
          { name: 'subject', type: 'varchar', length: '255', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'created_at', type: 'bigint' },
        ],
        indices: [{ name: 'external_identities_user_id', columnNames: ['user_id'] }],
        foreignKeys: [
          {
            name: 'external_identities_user',
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
    await runner.dropTable('external_identities');
  }
}
