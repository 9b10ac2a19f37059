import type { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/database';
import type { AuditEventEntity } from './audit-event.entity.js';

/** By column: the member of a row, and what it is on Postgres. */
const COLUMNS = {
  id: ['id', 'text'],
  at: ['at', 'bigint'],
  type: ['type', 'text'],
  user_id: ['userId', 'text'],
  client_id: ['clientId', 'text'],
  grant_id: ['grantId', 'text'],
  app: ['app', 'text'],
  browser: ['browser', 'text'],
  origin: ['origin', 'text'],
  actor: ['actor', 'text'],
  request_id: ['requestId', 'text'],
  detail: ['detail', 'text'],
  count: ['count', 'integer'],
  last_at: ['lastAt', 'bigint'],
  credits: ['credits', 'bigint'],
  duration_ms: ['durationMs', 'bigint'],
  network: ['network', 'text'],
  expires_at: ['expiresAt', 'bigint'],
} as const satisfies Record<string, readonly [keyof AuditEventEntity, string]>;

const GROWING = ['count', 'last_at', 'browser', 'credits', 'duration_ms'];

const all = (of: (member: string, type: string) => string) =>
  Object.values(COLUMNS).map(([member, type]) => of(member, type));

const insertion = (values: string) => `
  INSERT INTO audit_events (${Object.keys(COLUMNS).join(', ')}) ${values}
  ON CONFLICT (id) DO UPDATE SET ${GROWING.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const ON_POSTGRES = new PreparedStatement(
  'audit-rows',
  insertion(`SELECT given.* FROM json_to_recordset(CAST($1 AS json))
    AS given(${all((member, type) => `"${member}" ${type}`).join(', ')})`),
  'postgres',
);

const ON_SQLITE = new PreparedStatement(
  'audit-rows of JSON',
  insertion(`SELECT ${all((member) => `value ->> '${member}'`).join(', ')}
    FROM json_each($1) AS given WHERE TRUE`),
  'sqlite',
);

/** Writes rows in one statement. Of those that are there already it writes what may have grown. */
export async function insertAuditRows(
  dataSource: DataSource,
  rows: readonly AuditEventEntity[],
): Promise<void> {
  const insert = dataSource.options.type === 'postgres' ? ON_POSTGRES : ON_SQLITE;
  await insert.run(dataSource, [JSON.stringify(rows, wellFormed)]);
}

/** Half a character, which a text that was cut can end with, is none that a database takes. */
const wellFormed = (_member: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value;
