import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Adds blocked clients and redirect hosts. */
export class OAuth0004Migration1795319100014 implements MigrationInterface {
  name = 'OAuth0004Migration1795319100014';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'oauth_blocks',
        columns: [
          { name: 'kind', type: 'varchar', length: '16', isPrimary: true },
          { name: 'value', type: 'varchar', length: '512', isPrimary: true },
          { name: 'created_at', type: 'bigint' },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('oauth_blocks');
  }
}
