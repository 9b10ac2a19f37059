import type { DataSource } from 'typeorm';
import { type DependentSql, PreparedStatement } from '#libs/database';
import type { KnownClient } from './client-metadata.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 90 * DAY_MS;

const FIND = new PreparedStatement(
  'registered-client',
  'SELECT metadata, secret_hash FROM oauth_clients WHERE id = $1 AND expires_at > $2',
);

/** The metadata of a client that registered, with the hash in the place of the secret; undefined when it has gone. */
export async function findRegisteredClient(
  dataSource: DataSource,
  id: string,
): Promise<KnownClient | undefined> {
  const { rows } = await FIND.run(dataSource, [id, Date.now()]);
  const [row] = rows;
  if (!row) return undefined;
  const metadata: KnownClient = JSON.parse(String(row['metadata']));
  const secretHash = row['secret_hash'];
  return secretHash == null ? metadata : { ...metadata, client_secret: String(secretHash) };
}

const isDue = (id: string, now: string) => `
  id = ${id} AND expires_at > ${now}
  AND (expires_at < ${now} + ${LIFETIME_MS - DAY_MS} OR last_used_at < ${now} - ${DAY_MS})`;

/**
 * SQL of a PreparedChange that gives a grant to a client: one that registered lasts for 90 days at least from
 * `now`, a bigint. Written once a day.
 */
export const clientUse =
  (id: string, now: string): DependentSql =>
  ({ decided }) => `
    UPDATE oauth_clients SET last_used_at = ${now}, granted_at = COALESCE(granted_at, ${now}),
      expires_at = CASE WHEN expires_at > ${now} + ${LIFETIME_MS} THEN expires_at ELSE ${now} + ${LIFETIME_MS} END
    WHERE ${isDue(id, now)} AND ${decided}`;

const NOW = 'CAST($2 AS bigint)';

const IS_DUE = new PreparedStatement(
  'client-is-due',
  `SELECT 1 FROM oauth_clients WHERE ${isDue('$1', NOW)}`,
);

const NOTE_USE = new PreparedStatement('client-use', (dialect) =>
  clientUse('$1', NOW)({ ...dialect, decided: 'TRUE' }),
);

/** What `clientUse` does, alone. */
export async function noteUse(dataSource: DataSource, id: string): Promise<void> {
  const use = [id, Date.now()];
  const { rows } = await IS_DUE.run(dataSource, use);
  if (rows.length > 0) await NOTE_USE.run(dataSource, use);
}
