import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/**
 * Access tokens of machine clients. A replica of the previous version knows neither these tokens nor their grant type
 * and refuses both.
 */
export class OAuth0008Migration1795481000008 implements MigrationInterface {
  name = 'OAuth0008Migration1795481000008';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'oauth_machine_tokens',
        columns: [
          { name: 'id_hash', type: 'varchar', length: '43', isPrimary: true },
          { name: 'client_id', type: 'varchar', length: '64' },
          { name: 'origin', type: 'varchar', length: '300' },
          { name: 'resource', type: 'varchar', length: '512' },
          { name: 'scope', type: 'text' },
          { name: 'created_at', type: 'bigint' },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [
          { name: 'oauth_machine_tokens_client', columnNames: ['client_id'] },
          { name: 'oauth_machine_tokens_expires_at', columnNames: ['expires_at'] },
        ],
        foreignKeys: [
          {
            name: 'oauth_machine_tokens_client_id',
            columnNames: ['client_id'],
            referencedTableName: 'oauth_clients',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('oauth_machine_tokens');
  }
}
