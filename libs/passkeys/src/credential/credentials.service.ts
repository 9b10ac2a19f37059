import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalError, type User } from '#libs/accounts';
import { isUniqueViolation } from '#libs/platform';
import { type Asserted, type Credential, MAX_CREDENTIALS_PER_USER } from './credential.js';
import { CredentialEntity } from './credential.entity.js';
import { findCredential } from './credential.sql.js';
import { signIn } from './sign-in.sql.js';
import { isBuried } from './tombstones.sql.js';

/** Passkeys in the database. */
@Injectable()
export class CredentialsService {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether a tombstone says that a passkey with that id was deleted. */
  async wasDeleted(id: string): Promise<boolean> {
    return isBuried(this.dataSource, id);
  }

  async exists(id: string) {
    return this.dataSource.manager.existsBy(CredentialEntity, { id });
  }

  /** The credential and its owner, in one statement; the owner may be deleted. */
  async find(id: string): Promise<{ credential: Credential; owner: User | null } | undefined> {
    return findCredential(this.dataSource, id);
  }

  async ofUser(userId: string): Promise<Pick<Credential, 'id' | 'transports'>[]> {
    return this.dataSource.manager.find(CredentialEntity, {
      select: { id: true, transports: true },
      where: { userId },
      take: MAX_CREDENTIALS_PER_USER,
    });
  }

  /** Throws RefusalError 409 when any account has a credential with this id; of concurrent inserts one succeeds. */
  async insert(manager: EntityManager, credential: Credential) {
    try {
      await manager.insert(CredentialEntity, { ...credential, createdAt: Date.now() });
    } catch (error) {
      if (isUniqueViolation(error)) throw alreadyRegistered();
      throw error;
    }
  }

  async count(manager: EntityManager, userId: string) {
    return manager.countBy(CredentialEntity, { userId });
  }

  /** As `signIn`; of concurrent calls that read the same counter in use, exactly one gets true. */
  async signIn(credential: Credential, asserted: Asserted, session: readonly unknown[]) {
    return signIn(this.dataSource, credential, asserted, session);
  }
}

export const accountIsFull = () =>
  new RefusalError(
    409,
    `this account has ${MAX_CREDENTIALS_PER_USER} passkeys already, which is the maximum; remove one to add another`,
  );

export const alreadyRegistered = () =>
  new RefusalError(409, 'this passkey is already registered; sign in with it, or use another one');
