import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

/** An index on the day, so that the sweep of past days does not read the whole table. */
export class Budget0003Migration1795337000003 implements MigrationInterface {
  name = 'Budget0003Migration1795337000003';

  async up(runner: QueryRunner) {
    const index = new TableIndex({ name: 'budgets_day', columnNames: ['day'] });
    await runner.createIndex('budgets', index);
  }

  async down(runner: QueryRunner) {
    await runner.dropIndex('budgets', 'budgets_day');
  }
}
