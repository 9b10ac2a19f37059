import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Sessions of the console that were signed out. */
export class Console0001Migration1795812000001 implements MigrationInterface {
  name = 'Console0001Migration1795812000001';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'console_sign_outs',
        columns: [
          { name: 'id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [{ name: 'console_sign_outs_expires_at', columnNames: ['expires_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('console_sign_outs');
  }
}
