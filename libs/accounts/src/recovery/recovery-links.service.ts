import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { UsersService } from '../users/users.service.js';
import { generateLinkCode, LINK_LIFETIME_MS } from './recovery-code.js';
import { insertCodes, RecoveryCodeEntity } from './recovery-code.entity.js';

/** What an administrator gives to somebody who has neither passkey nor code any more. */
@Injectable()
export class RecoveryLinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /**
   * An address at `origin` where the account can be recovered once, within 24 hours, unless its owner signs in
   * with a passkey or makes new codes before. It is told here and nowhere else, and ends the one that was made
   * before it. Undefined when there is no such account, or it is disabled.
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

  /** False when there was none that still was good. */
  async revoke(userId: string): Promise<boolean> {
    const good = { userId, usedAt: IsNull(), expiresAt: MoreThan(Date.now()) };
    const revoked = await this.dataSource.manager.delete(RecoveryCodeEntity, good);
    return revoked.affected === 1;
  }

  /** Ends the link of an account inside the caller's transaction. */
  async end(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });
  }
}
