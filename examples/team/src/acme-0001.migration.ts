import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** The number at the end is a time in milliseconds; migrations run in the order of these. */
export class Acme0001Migration1795305600001 implements MigrationInterface {
  name = 'Acme0001Migration1795305600001';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'acme_greetings',
        columns: [
          { name: 'user_id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'count', type: 'integer' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('acme_greetings');
  }
}
