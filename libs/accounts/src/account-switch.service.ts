import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { RecoveryLinksService } from './recovery/recovery-links.service.js';
import { AccountSessionsService } from './sessions/account-sessions.service.js';
import type { EndedSession } from './sessions/session.js';
import { unknownUser } from './users/user-directory.service.js';
import { UserEntity } from './users/user.entity.js';

/**
 * Disables accounts and enables them again. No session of a disabled account is there or begins, whatever
 * ran at the same time, and nothing that asks for its sessions or grants finds them.
 */
@Injectable()
export class AccountSwitchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: AccountSessionsService,
    private readonly links: RecoveryLinksService,
  ) {}

  /**
   * Ends its recovery link and all sessions, which are returned; of a disabled account there are none. Throws
   * RefusalError 404.
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

  /** Its passkeys, recovery codes and apps count again; its sessions and its link are gone. Throws RefusalError 404. */
  async enable(userId: string): Promise<void> {
    const user = { id: userId };
    const enabled = await this.dataSource.manager.update(UserEntity, user, { disabledAt: null });
    if (enabled.affected !== 1) throw unknownUser();
  }
}
