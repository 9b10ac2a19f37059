import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Invites. */
export class Accounts0006Migration1795326000006 implements MigrationInterface {
  name = 'Accounts0006Migration1795326000006';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'invites',
        columns: [
          { name: 'id', type: 'varchar', length: '22', isPrimary: true },
          { name: 'code_hash', type: 'varchar', length: '43' },
          { name: 'uses', type: 'integer' },
          { name: 'uses_left', type: 'integer' },
          { name: 'created_at', type: 'bigint' },
          { name: 'created_by', type: 'varchar', length: '64' },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [
          { name: 'invites_code_hash', columnNames: ['code_hash'], isUnique: true },
          { name: 'invites_created_at', columnNames: ['created_at', 'id'] },
          { name: 'invites_expires_at', columnNames: ['expires_at'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('invites');
  }
}
