import type { DataSource, EntityManager } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { CredentialTombstoneEntity } from './credential-tombstone.entity.js';

/** Maximum per account; the newest are kept. */
const MAX_TOMBSTONES = 100;

const TRIM = `
  DELETE FROM credential_tombstones WHERE user_id = $1 AND id_hash NOT IN (
    SELECT id_hash FROM credential_tombstones WHERE user_id = $1
    ORDER BY deleted_at DESC, id_hash LIMIT ${MAX_TOMBSTONES})`;

/** Writes tombstones of deleted credentials, inside a transaction that holds the lock of their account. */
export async function bury(
  manager: EntityManager,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  await insert(manager, userId, ids);
  await manager.query(TRIM, [userId]);
}

/** Whether a tombstone of that id exists, written by any version of the service. */
export async function isBuried(dataSource: DataSource, id: string): Promise<boolean> {
  const either = `
    SELECT 1 FROM credential_tombstones WHERE id_hash = $1
    UNION ALL SELECT 1 FROM deleted_credentials WHERE id = $2`;
  return (await dataSource.query<unknown[]>(either, [hashSecret(id), id])).length > 0;
}

/**
 * Moves at most `limit` of the tombstones that replicas of an older version write to `deleted_credentials`, with
 * the plain ids. At any time each is in at least one of the two tables. Returns how many there were.
 */
export async function buryOlder({ manager }: DataSource, limit: number): Promise<number> {
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM deleted_credentials ORDER BY id LIMIT ${limit}`,
  );
  const ids = rows.map(({ id }) => id);
  await insert(manager, null, ids);
  const all = ids.map((_, n) => `$${n + 1}`).join(', ');
  if (ids.length > 0) {
    await manager.query(`DELETE FROM deleted_credentials WHERE id IN (${all})`, ids);
  }
  return ids.length;
}

/** An existing tombstone of the same id, of this or another account, is not changed. */
async function insert(manager: EntityManager, userId: string | null, ids: readonly string[]) {
  const tombstone = { userId, deletedAt: Date.now() };
  const values = ids.map((id) => ({ ...tombstone, idHash: hashSecret(id) }));
  const tombstones = manager.createQueryBuilder().insert().into(CredentialTombstoneEntity);
  if (ids.length > 0) await tombstones.values(values).orIgnore().execute();
}
