import { Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { UserEntity } from '../users/user.entity.js';
import { unknownUser } from '../users/user-directory.service.js';
import type { EndedSession } from './session.js';
import { AccountSessionsService } from './account-sessions.service.js';

/**
 * Disables accounts and enables them again. No session of a disabled account is there or begins, whatever
 * ran at the same time, and nothing that asks for its sessions or grants finds them.
 */
@Injectable()
export class AccountSwitchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: AccountSessionsService,
  ) {}

  /** Ends all sessions and returns them; of a disabled account there are none. Throws RefusalError 404. */
  async disable(userId: string): Promise<EndedSession[]> {
    return this.dataSource.transaction(async (manager) => {
      const enabled = { id: userId, disabledAt: IsNull() };
      await manager.update(UserEntity, enabled, { disabledAt: Date.now() });
      const user = await manager.findOneBy(UserEntity, { id: userId });
      if (!user) throw unknownUser();
      return this.sessions.endAll(manager, user);
    });
  }

  /** Its passkeys and apps count again; its sessions are gone. Throws RefusalError 404. */
  async enable(userId: string): Promise<void> {
    const user = { id: userId };
    const enabled = await this.dataSource.manager.update(UserEntity, user, { disabledAt: null });
    if (enabled.affected !== 1) throw unknownUser();
  }
}
