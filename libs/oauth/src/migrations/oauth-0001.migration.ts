import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';

const text = (name: string, length: number, isNullable = false): TableColumnOptions => ({
  name,
  type: 'varchar',
  length: String(length),
  isNullable,
});
const key = (name: string, length: number) => ({ ...text(name, length), isPrimary: true });
const json = (name: string): TableColumnOptions => ({ name, type: 'text' });
const whole = (name: string, isNullable = false): TableColumnOptions => ({
  name,
  type: 'bigint',
  isNullable,
});
const index = (name: string, ...columnNames: string[]) => ({ name, columnNames });

/** Clients, grants, tokens, consents and presented assertions. */
export class OAuth0001Migration1795219200004 implements MigrationInterface {
  name = 'OAuth0001Migration1795219200004';

  async up(runner: QueryRunner) {
    for (const table of tables) await runner.createTable(new Table(table));
  }

  async down(runner: QueryRunner) {
    for (const { name } of tables.toReversed()) await runner.dropTable(name);
  }
}

const tables = [
  {
    name: 'oauth_clients',
    columns: [
      key('id', 64),
      json('metadata'),
      text('secret_hash', 43, true),
      whole('created_at'),
      whole('last_used_at'),
      whole('expires_at'),
    ],
    indices: [index('oauth_clients_expires_at', 'expires_at')],
  },
  {
    name: 'oauth_grants',
    columns: [
      key('id', 64),
      text('user_id', 64),
      text('client_id', 512),
      text('origin', 300),
      json('scope'),
      text('app', 80),
      text('redirect_host', 260, true),
      text('published', 260, true),
      whole('created_at'),
      whole('last_used_at'),
      whole('expires_at'),
      whole('revoked_at', true),
    ],
    indices: [
      index('oauth_grants_user_created', 'user_id', 'created_at'),
      index('oauth_grants_user_client', 'user_id', 'client_id'),
      index('oauth_grants_expires_at', 'expires_at'),
    ],
    foreignKeys: [
      {
        name: 'oauth_grants_user',
        columnNames: ['user_id'],
        referencedTableName: 'users',
        referencedColumnNames: ['id'],
        onDelete: 'CASCADE',
      },
    ],
  },
  {
    name: 'oauth_tokens',
    columns: [
      key('id_hash', 43),
      text('kind', 20),
      text('grant_id', 64),
      { name: 'generation', type: 'integer' },
      json('payload'),
      whole('created_at'),
      whole('expires_at'),
      whole('consumed_at', true),
    ],
    indices: [
      index('oauth_tokens_grant', 'grant_id', 'kind', 'generation'),
      index('oauth_tokens_expires_at', 'expires_at'),
    ],
    foreignKeys: [
      {
        name: 'oauth_tokens_grant_id',
        columnNames: ['grant_id'],
        referencedTableName: 'oauth_grants',
        referencedColumnNames: ['id'],
        onDelete: 'CASCADE',
      },
    ],
  },
  {
    name: 'oauth_consents',
    columns: [
      key('handle_hash', 43),
      text('user_id', 64),
      text('session_hash', 43),
      text('origin', 300),
      text('client_id', 512),
      json('request'),
      whole('expires_at'),
    ],
    indices: [
      index('oauth_consents_user_client', 'user_id', 'client_id'),
      index('oauth_consents_expires_at', 'expires_at'),
    ],
  },
  {
    name: 'oauth_assertions',
    columns: [key('id_hash', 43), whole('expires_at')],
    indices: [index('oauth_assertions_expires_at', 'expires_at')],
  },
];
