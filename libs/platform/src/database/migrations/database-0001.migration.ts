import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class Database0001Migration1795313900001 implements MigrationInterface {
  name = 'Database0001Migration1795313900001';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'service_keys',
        columns: [
          { name: 'name', type: 'varchar', length: '64', isPrimary: true },
          { name: 'secret', type: 'varchar', length: '43' },
          { name: 'created_at', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('service_keys');
  }
}
