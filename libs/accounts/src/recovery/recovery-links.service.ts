import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { UsersService } from '../user/user.store.js';
import { generateLinkCode, LINK_LIFETIME_MS } from './recovery-code.js';
import { insertCodes, RecoveryCodeEntity } from './recovery-code.entity.js';

/** Recovery links, which an administrator gives to a user who has lost all passkeys and codes. */
@Injectable()
export class RecoveryLinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /**
   * Returns a URL at `origin` that recovers the account once, within 24 hours, unless its owner signs in with a
   * passkey or creates new codes first. The URL is not stored and cannot be read again; it replaces an earlier
   * link. Undefined when the account does not exist or is disabled.
   */
  async create(userId: string, origin: string): Promise<string | undefined> {
    const code = generateLinkCode();
    const isMade = await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lockEnabled(manager, userId))) return false;
      await this.end(manager, userId);
      await insertCodes(manager, userId, [code], Date.now() + LINK_LIFETIME_MS);
      return true;
    });
    return isMade ? `${origin}/svc/account/recover#${code}` : undefined;
  }

  /** False when the account had no valid link. */
  async revoke(userId: string): Promise<boolean> {
    const good = { userId, usedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    const revoked = await this.dataSource.manager.delete(RecoveryCodeEntity, good);
    return revoked.affected === 1;
  }

  /** Deletes the link of an account inside the caller's transaction. */
  async end(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });
  }
}
