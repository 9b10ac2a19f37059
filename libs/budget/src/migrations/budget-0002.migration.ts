import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

export class Budget0002Migration1795319100003 implements MigrationInterface {
  name = 'Budget0002Migration1795319100003';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'budget_limits',
        columns: [
          { name: 'user_id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'credits', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('budget_limits');
  }
}
