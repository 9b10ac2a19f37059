import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { RecoveryLinksService } from './recovery/recovery-links.service.js';
import { AccountSessionsService } from './session/session.store.js';
import type { EndedSession } from './session/session.js';
import { unknownUser } from './user/user-directory.service.js';
import { UserEntity } from './user/user.entity.js';

/**
 * Disables and enables accounts. A disabled account has no sessions and none can begin, also when a sign-in runs in
 * parallel; queries for its sessions or grants return nothing.
 */
@Injectable()
export class AccountSwitchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: AccountSessionsService,
    private readonly links: RecoveryLinksService,
  ) {}

  /**
   * Disables the account, deletes its recovery link and ends all its sessions, which it returns; for an account
   * that is already disabled there are none. Throws RefusalError 404.
   */
  async disable(userId: string): Promise<EndedSession[]> {
    return this.dataSource.transaction(async (manager) => {
      const enabled = { id: userId, disabledAt: IsNull() };
      await manager.update(UserEntity, enabled, { disabledAt: Date.now() });
      const user = await manager.findOneBy(UserEntity, { id: userId });
      if (!user) throw unknownUser();
      await this.links.end(manager, userId);
      return this.sessions.endAll(manager, user);
    });
  }

  /**
   * Makes passkeys, recovery codes and apps valid again; ended sessions and the link stay gone. Throws RefusalError
   * 404.
   */
  async enable(userId: string): Promise<void> {
    const user = { id: userId };
    const enabled = await this.dataSource.manager.update(UserEntity, user, { disabledAt: null });
    if (enabled.affected !== 1) throw unknownUser();
  }
}
