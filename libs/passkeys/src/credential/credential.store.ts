import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  hashSecret,
  recoveryLinkEnding,
  RefusalError,
  sessionBeginning,
  type User,
} from '#libs/accounts';
import { BatchedRead, guardedChanges, isUniqueViolation, PreparedStatement } from '#libs/platform';
import { CredentialTombstoneEntity } from './credential-tombstone.entity.js';
import { CredentialEntity } from './credential.entity.js';
import {
  type Asserted,
  base64urlBytes,
  type Credential,
  MAX_CREDENTIALS_PER_USER,
} from './credential.js';

/** Maximum per account; the newest are kept. */
const MAX_TOMBSTONES = 100;

const TRIM = `
  DELETE FROM credential_tombstones WHERE user_id = $1 AND id_hash NOT IN (
    SELECT id_hash FROM credential_tombstones WHERE user_id = $1
    ORDER BY deleted_at DESC, id_hash LIMIT ${MAX_TOMBSTONES})`;

/** Writes tombstones of deleted credentials, inside a transaction that holds the lock of their account. */
export async function insertTombstones(
  manager: EntityManager,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  await insertMissing(manager, userId, ids);
  await manager.query(TRIM, [userId]);
}

/**
 * Moves at most `limit` of the tombstones that replicas of an older version write to `deleted_credentials`, with
 * the plain ids. At any time each is in at least one of the two tables. Returns how many there were.
 */
export async function moveOlderTombstones({ manager }: DataSource, limit: number): Promise<number> {
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM deleted_credentials ORDER BY id LIMIT ${limit}`,
  );
  const ids = rows.map(({ id }) => id);
  await insertMissing(manager, null, ids);
  const all = ids.map((_, n) => `$${n + 1}`).join(', ');
  if (ids.length > 0) {
    await manager.query(`DELETE FROM deleted_credentials WHERE id IN (${all})`, ids);
  }
  return ids.length;
}

/** An existing tombstone of the same id, of this or another account, is not changed. */
async function insertMissing(
  manager: EntityManager,
  userId: string | null,
  ids: readonly string[],
) {
  const tombstone = { userId, deletedAt: Date.now() };
  const values = ids.map((id) => ({ ...tombstone, idHash: hashSecret(id) }));
  const tombstones = manager.createQueryBuilder().insert().into(CredentialTombstoneEntity);
  if (ids.length > 0) await tombstones.values(values).orIgnore().execute();
}

const FIND = new BatchedRead(
  'credential',
  ({ keys }) => `
   SELECT c.id AS key, c.user_id, c.rp_id, c.public_key, c.sign_count, c.transports, c.backup_eligible,
          c.backed_up, c.aaguid, u.display_name
   FROM ${keys}
   JOIN credentials c ON c.id = keys.value
   LEFT JOIN users u ON u.id = c.user_id`,
);

/** Updates the counter only if it still has the value that was read; locks the account against being disabled. */
const SIGN_IN = new PreparedStatement(
  'sign-in',
  guardedChanges(
    ({ forShare }) => `
      UPDATE credentials SET sign_count = $3, backed_up = $4, last_used_at = $5
      WHERE id = $1 AND sign_count = $2
        AND EXISTS (SELECT 1 FROM users WHERE id = $6 AND disabled_at IS NULL ${forShare})`,
    recoveryLinkEnding(6),
    ...sessionBeginning(7),
  ),
);

@Injectable()
export class CredentialStore {
  constructor(private readonly dataSource: DataSource) {}

  /** A credential and its owner, who may be deleted, in one statement. */
  async find(id: string): Promise<{ credential: Credential; owner: User | null } | undefined> {
    const row = await FIND.find(this.dataSource, id);
    if (!row) return undefined;
    const { display_name: displayName, backed_up: backedUp, aaguid } = row;
    const userId = String(row['user_id']);
    return {
      credential: {
        id,
        userId,
        rpId: String(row['rp_id']),
        publicKey: base64urlBytes.from(String(row['public_key'])),
        signCount: Number(row['sign_count']),
        transports: JSON.parse(String(row['transports'])),
        backupEligible: Boolean(row['backup_eligible']),
        backedUp: backedUp == null ? null : Boolean(backedUp),
        aaguid: aaguid == null ? null : String(aaguid),
      },
      owner: displayName == null ? null : { id: userId, displayName: String(displayName) },
    };
  }

  /** Ids of an account's passkeys, inside the caller's transaction. */
  async idsOf(manager: EntityManager, userId: string): Promise<string[]> {
    const stored = await manager.find(CredentialEntity, {
      select: { id: true },
      where: { userId },
    });
    return stored.map(({ id }) => id);
  }

  async hasAny(userId: string, manager = this.dataSource.manager): Promise<boolean> {
    return manager.existsBy(CredentialEntity, { userId });
  }

  async exists(id: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(CredentialEntity, { id });
  }

  /** Whether a tombstone says that a passkey with that id was deleted, by any version of the service. */
  async wasDeleted(id: string): Promise<boolean> {
    const either = `
      SELECT 1 FROM credential_tombstones WHERE id_hash = $1
      UNION ALL SELECT 1 FROM deleted_credentials WHERE id = $2`;
    return (await this.dataSource.query<unknown[]>(either, [hashSecret(id), id])).length > 0;
  }

  /** All passkeys of an account, newest first. */
  async list(userId: string): Promise<CredentialEntity[]> {
    return this.dataSource.manager.find(CredentialEntity, {
      where: { userId },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: MAX_CREDENTIALS_PER_USER,
    });
  }

  /** Throws RefusalError 404 when the account has no passkey with that id. */
  async get(userId: string, id: string): Promise<CredentialEntity> {
    const found = await this.dataSource.manager.findOneBy(CredentialEntity, { id, userId });
    if (!found) throw noSuchPasskey();
    return found;
  }

  /** Returns the renamed credential. Throws as `get`. */
  async rename(userId: string, id: string, name: string): Promise<CredentialEntity> {
    await this.dataSource.manager.update(CredentialEntity, { id, userId }, { name });
    return this.get(userId, id);
  }

  /** Throws RefusalError 409 when any account has a credential with this id; of concurrent inserts one succeeds. */
  async insert(manager: EntityManager, credential: Credential): Promise<void> {
    try {
      await manager.insert(CredentialEntity, { ...credential, createdAt: Date.now() });
    } catch (error) {
      if (isUniqueViolation(error)) throw alreadyRegistered();
      throw error;
    }
  }

  /**
   * Stores what an assertion reports, ends the account's recovery link, and begins the session that
   * `BrowserSessionsService.prepare` made. Returns false and writes nothing when another sign-in changed the counter
   * (of concurrent calls that read the same counter in use, exactly one gets true), or when the credential or its
   * account is gone or the account is disabled.
   */
  async signIn(
    { id, signCount, userId }: Credential,
    asserted: Asserted,
    session: readonly unknown[],
  ): Promise<boolean> {
    const reported = [asserted.signCount, asserted.backedUp, Date.now()];
    const values = [id, signCount, ...reported, userId, ...session];
    return (await SIGN_IN.run(this.dataSource, values)).affected === 1;
  }
}

export const noSuchPasskey = () => new RefusalError(404, 'no such passkey');

export const alreadyRegistered = () =>
  new RefusalError(409, 'this passkey is already registered; sign in with it, or use another one');
