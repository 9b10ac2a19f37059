import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, Not } from 'typeorm';
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
   * An address at `origin` where the account can be recovered once, within 24 hours. It is told here and
   * nowhere else, and ends the one that was made before it. Undefined when there is no such account, or it
   * is disabled.
   */
  async create(userId: string, origin: string): Promise<string | undefined> {
    const code = generateLinkCode();
    const isMade = await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lockEnabled(manager, userId))) return false;
      await manager.delete(RecoveryCodeEntity, { userId, expiresAt: Not(IsNull()) });
      await insertCodes(manager, userId, [code], Date.now() + LINK_LIFETIME_MS);
      return true;
    });
    return isMade ? `${origin}/svc/account/recover#${code}` : undefined;
  }
}
