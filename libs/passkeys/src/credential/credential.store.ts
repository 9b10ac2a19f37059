import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import {
  BEGIN_SESSION,
  END_RECOVERY_LINK,
  hashSecret,
  hasManySessions,
  recoveryLinkValues,
  RefusalError,
  type SessionValues,
  type User,
} from '#libs/accounts';
import {
  BatchedRead,
  column,
  type Dialect,
  guardedChanges,
  isUniqueViolation,
  PreparedStatement,
  type Row,
} from '#libs/platform';
import {
  base64urlBytes,
  CredentialEntity,
  CredentialTombstoneEntity,
} from './credential.entity.js';
import { type Asserted, type Credential, MAX_CREDENTIALS_PER_USER } from './credential.js';

/** Maximum per account; the newest are kept. */
const MAX_TOMBSTONES = 100;

const DELETE_OLDEST_TOMBSTONES = new PreparedStatement<'userId'>(
  'delete-oldest-tombstones',
  `DELETE FROM credential_tombstones WHERE user_id = :userId AND id_hash NOT IN (
     SELECT id_hash FROM credential_tombstones WHERE user_id = :userId
     ORDER BY deleted_at DESC, id_hash LIMIT ${MAX_TOMBSTONES})`,
);

const DELETE_MOVED_TOMBSTONES = new PreparedStatement<'ids'>(
  'delete-moved-tombstones',
  ({ listed }) =>
    `DELETE FROM deleted_credentials WHERE id IN (SELECT value FROM ${listed(':ids')})`,
);

const WAS_DELETED = new PreparedStatement<'id' | 'idHash'>(
  'was-passkey-deleted',
  `SELECT 1 FROM credential_tombstones WHERE id_hash = :idHash
   UNION ALL SELECT 1 FROM deleted_credentials WHERE id = :id`,
);

/** Writes tombstones of deleted credentials, inside a transaction that holds the lock of their account. */
export async function insertTombstones(
  manager: EntityManager,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  await insertMissing(manager, userId, ids);
  await DELETE_OLDEST_TOMBSTONES.run(manager, { userId });
}

/** Moves at most `limit` tombstones that older replicas write; each is in a table at any time. Returns how many. */
export async function moveOlderTombstones({ manager }: DataSource, limit: number): Promise<number> {
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM deleted_credentials ORDER BY id LIMIT ${limit}`,
  );
  const ids = rows.map(({ id }) => id);
  await insertMissing(manager, null, ids);
  await DELETE_MOVED_TOMBSTONES.run(manager, { ids: JSON.stringify(ids) });
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

type Use = 'id' | 'readCount' | 'newCount' | 'backedUp' | 'usedAt' | 'userId';

/** Updates the counter only if it still has the value that was read; locks the account against being disabled. */
const USE = ({ forShare }: Dialect) => `
  UPDATE credentials SET sign_count = :newCount, backed_up = :backedUp, last_used_at = :usedAt
  WHERE id = :id AND sign_count = :readCount
    AND EXISTS (SELECT 1 FROM users WHERE id = :userId AND disabled_at IS NULL ${forShare})`;

const RECORD_USE = new PreparedStatement<Use>('record-passkey-use', USE);

const SIGN_IN = new PreparedStatement<
  Use | keyof ReturnType<typeof recoveryLinkValues> | keyof SessionValues
>(
  'sign-in',
  guardedChanges(
    (dialect) =>
      `${USE(dialect)} RETURNING ${hasManySessions('credentials.user_id')} AS many_sessions`,
    END_RECOVERY_LINK,
    ...BEGIN_SESSION,
  ),
);

@Injectable()
export class CredentialStore {
  constructor(private readonly dataSource: DataSource) {}

  /** A credential and its owner, who may be deleted, in one statement. */
  async find(id: string): Promise<{ credential: Credential; owner: User | null } | undefined> {
    const row = await FIND.find(this.dataSource, id);
    if (!row) return undefined;
    const displayName = column.textOrNull(row, 'display_name');
    const credential = toCredential(row);
    return {
      credential,
      owner: displayName === null ? null : { id: credential.userId, displayName },
    };
  }

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

  async exists(id: string, manager = this.dataSource.manager): Promise<boolean> {
    return manager.existsBy(CredentialEntity, { id });
  }

  /** Whether a tombstone says that a passkey with that id was deleted, by any version of the service. */
  async wasDeleted(id: string): Promise<boolean> {
    const { rows } = await WAS_DELETED.run(this.dataSource, { id, idHash: hashSecret(id) });
    return rows.length > 0;
  }

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

  /** Inside the caller's transaction, which also writes the tombstone. */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(CredentialEntity, { id });
  }

  /** Stores what an assertion reports and begins the session; undefined when counter or account changed. */
  async signIn(
    credential: Credential,
    asserted: Asserted,
    session: SessionValues,
  ): Promise<{ readonly hasManySessions: boolean } | undefined> {
    const [row] = (
      await SIGN_IN.run(this.dataSource, {
        ...useValues(credential, asserted),
        ...recoveryLinkValues(credential.userId),
        ...session,
      })
    ).rows;
    return row && { hasManySessions: column.flag(row, 'many_sessions') };
  }

  /** Stores what an assertion reports, and nothing else; false when counter or account changed. */
  async recordUse(credential: Credential, asserted: Asserted): Promise<boolean> {
    const { affected } = await RECORD_USE.run(this.dataSource, useValues(credential, asserted));
    return affected === 1;
  }
}

const useValues = ({ id, signCount, userId }: Credential, asserted: Asserted) => ({
  id,
  readCount: signCount,
  newCount: asserted.signCount,
  backedUp: asserted.backedUp,
  usedAt: Date.now(),
  userId,
});

function toCredential(row: Row): Credential {
  const backedUp = row['backed_up'];
  return {
    id: column.text(row, 'key'),
    userId: column.text(row, 'user_id'),
    rpId: column.text(row, 'rp_id'),
    publicKey: base64urlBytes.from(column.text(row, 'public_key')),
    signCount: column.number(row, 'sign_count'),
    transports: JSON.parse(column.text(row, 'transports')),
    backupEligible: column.flag(row, 'backup_eligible'),
    backedUp: backedUp == null ? null : Boolean(backedUp),
    aaguid: column.textOrNull(row, 'aaguid'),
  };
}

export const noSuchPasskey = () => new RefusalError(404, 'no such passkey');

export const alreadyRegistered = () =>
  new RefusalError(409, 'this passkey is already registered; sign in with it, or use another one');
