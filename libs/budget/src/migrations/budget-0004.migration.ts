import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** What each connection used of its account's budget. A replica of the previous version counts for accounts alone. */
export class Budget0004Migration1795800000004 implements MigrationInterface {
  name = 'Budget0004Migration1795800000004';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'connection_budgets',
        columns: [
          { name: 'connection_id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'day', type: 'varchar', length: '10' },
          { name: 'used', type: 'bigint' },
        ],
        indices: [
          { name: 'connection_budgets_user', columnNames: ['user_id'] },
          { name: 'connection_budgets_day', columnNames: ['day'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('connection_budgets');
  }
}
