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

/** The metadata of a client that registered, with the hash in the place of the secret; undefined when it has gone. */
export async function findRegisteredClient(
  dataSource: DataSource,
  id: string,
): Promise<KnownClient | undefined> {
  const row = await FIND.find(dataSource, id);
  return row && Number(row['expires_at']) > Date.now() ? toKnownClient(row) : undefined;
}

/** Of the columns `metadata` and `secret_hash`. */
export function toKnownClient(row: Readonly<Record<string, unknown>>): KnownClient {
  const metadata: KnownClient = JSON.parse(String(row['metadata']));
  const secretHash = row['secret_hash'];
  return secretHash == null ? metadata : { ...metadata, client_secret: String(secretHash) };
}

/** SQL: whether it is a day since it was noted that a client `c` is in use; `now` is a bigint. */
export const isUseDue = (c: string, now: string) =>
  `(${c}.expires_at < ${now} + ${LIFETIME_MS - DAY_MS} OR ${c}.last_used_at < ${now} - ${DAY_MS})`;

/**
 * SQL of a change that gives something to a client: one that registered lasts for 90 days at least from
 * `now`, a bigint. Written once a day.
 */
export const clientUse =
  (id: string, now: string): DependentSql =>
  ({ decided }) => `
    UPDATE oauth_clients SET last_used_at = ${now}, granted_at = COALESCE(granted_at, ${now}),
      expires_at = CASE WHEN expires_at > ${now} + ${LIFETIME_MS} THEN expires_at ELSE ${now} + ${LIFETIME_MS} END
    WHERE id = ${id} AND expires_at > ${now} AND ${isUseDue('oauth_clients', now)} AND ${decided}`;
