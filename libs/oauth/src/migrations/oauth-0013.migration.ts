import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Calls that wait for the decision of a person. A replica of the previous version does not ask, and refuses them. */
export class OAuth0013Migration1795800000013 implements MigrationInterface {
  name = 'OAuth0013Migration1795800000013';

  async up(runner: QueryRunner) {
    const isPostgres = runner.connection.options.type === 'postgres';
    const [yes, no] = isPostgres ? ['true', 'false'] : ['1', '0'];
    await runner.createTable(
      new Table({
        name: 'oauth_approvals',
        columns: [
          { name: 'id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'grant_id', type: 'varchar', length: '64' },
          { name: 'user_id', type: 'varchar', length: '64' },
          { name: 'call_hash', type: 'varchar', length: '43' },
          { name: 'kind', type: 'varchar', length: '10' },
          { name: 'scope', type: 'varchar', length: '128' },
          { name: 'method', type: 'varchar', length: '20' },
          { name: 'name', type: 'text' },
          { name: 'title', type: 'text' },
          { name: 'tab', type: 'varchar', length: '64', isNullable: true },
          { name: 'page', type: 'text', isNullable: true },
          { name: 'arguments', type: 'text', isNullable: true },
          { name: 'is_truncated', type: 'boolean', default: no },
          { name: 'needs_passkey', type: 'boolean', default: no },
          { name: 'may_allow_always', type: 'boolean', default: yes },
          { name: 'state', type: 'varchar', length: '8' },
          { name: 'created_at', type: 'bigint' },
          { name: 'expires_at', type: 'bigint' },
          { name: 'decided_at', type: 'bigint', isNullable: true },
          { name: 'spent_at', type: 'bigint', isNullable: true },
          { name: 'by_passkey', type: 'boolean', default: no },
          { name: 'sweep_at', type: 'bigint' },
        ],
        indices: [
          {
            name: 'oauth_approvals_open',
            columnNames: ['grant_id', 'call_hash'],
            isUnique: true,
            where: "state = 'open'",
          },
          { name: 'oauth_approvals_call', columnNames: ['grant_id', 'call_hash', 'created_at'] },
          { name: 'oauth_approvals_user', columnNames: ['user_id', 'state', 'created_at'] },
          { name: 'oauth_approvals_sweep_at', columnNames: ['sweep_at'] },
        ],
        foreignKeys: [
          {
            name: 'oauth_approvals_grant_id',
            columnNames: ['grant_id'],
            referencedTableName: 'oauth_grants',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('oauth_approvals');
  }
}
