import type { DataSource } from 'typeorm';
import { BatchedRead, type DependentSql } from '#libs/platform';
import type { KnownClient } from './client-metadata.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 90 * DAY_MS;

const FIND = new BatchedRead(
  'registered-client',
  ({ keys }) => `
   SELECT c.id AS key, c.metadata, c.secret_hash, c.expires_at
   FROM ${keys} JOIN oauth_clients c ON c.id = keys.value`,
);

/** The metadata of a registered client, with the hash in place of the secret; undefined when unknown or expired. */
export async function findRegisteredClient(
  dataSource: DataSource,
  id: string,
): Promise<KnownClient | undefined> {
  const row = await FIND.find(dataSource, id);
  return row && Number(row['expires_at']) > Date.now() ? toKnownClient(row) : undefined;
}

/** Reads the columns `metadata` and `secret_hash`. */
export function toKnownClient(row: Readonly<Record<string, unknown>>): KnownClient {
  const metadata: KnownClient = JSON.parse(String(row['metadata']));
  const secretHash = row['secret_hash'];
  return secretHash == null ? metadata : { ...metadata, client_secret: String(secretHash) };
}

/** SQL: whether the last recorded use of a client `c` is a day old; `now` is a bigint. */
export const isUseDue = (c: string, now: string) =>
  `(${c}.expires_at < ${now} + ${LIFETIME_MS - DAY_MS} OR ${c}.last_used_at < ${now} - ${DAY_MS})`;

/**
 * SQL for a change that grants something to a client: extends a registration to at least 90 days from
 * `now`, a bigint. Writes at most once a day.
 */
export const clientUse =
  (id: string, now: string): DependentSql =>
  ({ decided }) => `
    UPDATE oauth_clients SET last_used_at = ${now}, granted_at = COALESCE(granted_at, ${now}),
      expires_at = CASE WHEN expires_at > ${now} + ${LIFETIME_MS} THEN expires_at ELSE ${now} + ${LIFETIME_MS} END
    WHERE id = ${id} AND expires_at > ${now} AND ${isUseDue('oauth_clients', now)} AND ${decided}`;
