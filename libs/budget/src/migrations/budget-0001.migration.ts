import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class Budget0001Migration1795219200003 implements MigrationInterface {
  name = 'Budget0001Migration1795219200003';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'budgets',
        columns: [
          { name: 'user_id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'day', type: 'varchar', length: '10' },
          { name: 'used', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('budgets');
  }
}
