import { Injectable } from '@nestjs/common';
import {
  SessionStore,
  SecurityEventsService,
  unknownUser,
  UserDeletionService,
  UserDirectoryService,
  type UserEntity,
} from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import { mapPage, toIsoTime } from './values.js';

interface UserSearch extends PageRequest {
  readonly search?: string | undefined;
}

/**
 * What operators can do with accounts. Results are JSON with times in ISO 8601; each change is an event that names
 * its `actor`. An unknown id is RefusalError 404.
 */
@Injectable()
export class UsersAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly sessions: SessionStore,
    private readonly deletions: UserDeletionService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Newest first. @throws UnknownPageError */
  async list(search: UserSearch) {
    return mapPage(await this.users.list(search), toUser);
  }

  async show(id: string) {
    const user = await this.users.get(id);
    const { count, lastSeenAt } = await this.sessions.summaryOf(id);
    return { ...toUser(user), sessions: count, lastSeenAt: toIsoTime(lastSeenAt) };
  }

  /** Ends every session of the account; its tabs close on all replicas. */
  async signOut(id: string, actor: string) {
    const user = await this.users.get(id);
    const endedSessions = await this.sessions.endAll(undefined, user);
    this.events.emit({ type: 'user-signed-out', userId: id, origin: '', actor, endedSessions });
    return { id, endedSessions: endedSessions.length };
  }

  /** Ends every session of the account. Until it is enabled again, sign-ins are refused, and its apps too. */
  async disable(id: string, actor: string) {
    const endedSessions = await this.users.disable(id);
    this.events.emit({ type: 'user-disabled', userId: id, origin: '', actor, endedSessions });
    return this.show(id);
  }

  /** The account's passkeys and apps work again. */
  async enable(id: string, actor: string) {
    await this.users.enable(id);
    this.events.emit({ type: 'user-enabled', userId: id, origin: '', actor });
    return this.show(id);
  }

  /** Deletes the account with all its data; its rows in the audit trail stay. */
  async remove(id: string, actor: string) {
    const { displayName } = await this.users.get(id);
    const endedSessions = await this.deletions.delete({ id, displayName });
    if (!endedSessions) throw unknownUser();
    this.events.emit({ type: 'account-deleted', userId: id, origin: '', actor, endedSessions });
    return { id, displayName, deleted: true };
  }
}

const toUser = ({ id, displayName, createdAt, disabledAt }: UserEntity) => ({
  id,
  displayName,
  createdAt: toIsoTime(createdAt),
  disabledAt: toIsoTime(disabledAt),
});
