import { Injectable } from '@nestjs/common';
import {
  type ExternalIdentity,
  type ExternalIdentityEntity,
  ExternalIdentityStore,
  expectIdentity,
  RefusalError,
  SessionStore,
  SecurityEventsService,
  unknownUser,
  UserDeletionService,
  UserDirectoryService,
  type UserEntity,
} from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import { mapPage, toIsoTime } from './operation/values.js';

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
    private readonly identities: ExternalIdentityStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** Newest first. @throws UnknownPageError */
  async list(search: PageRequest & { readonly search?: string | undefined }) {
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

  /** The identities at other issuers that are linked to an account, the oldest first. */
  async listIdentities(id: string) {
    await this.users.get(id);
    return { items: (await this.identities.list(id)).map(toIdentity), next: null };
  }

  /**
   * Links an identity at another issuer to an account. Throws RefusalError 400 for texts that no identity has, 409
   * for one that is linked already, to this or another account.
   */
  async link(id: string, identity: ExternalIdentity, actor: string) {
    expectLinkable(identity);
    await this.users.whileThere(id, async (manager) => {
      if (await this.identities.link(manager, identity, id)) return;
      const message = 'this identity is linked already; unlink it from its account first';
      throw new RefusalError(409, message);
    });
    const happened = { userId: id, origin: '', actor, ...about(identity) };
    this.events.emit({ type: 'identity-linked', ...happened });
    return { user: id, ...identity, linked: true };
  }

  /** The account keeps its apps and sessions. Throws RefusalError 404 unless the identity is linked to the account. */
  async unlink(id: string, identity: ExternalIdentity, actor: string) {
    await this.users.get(id);
    expectLinkable(identity);
    if (!(await this.identities.unlink(identity, id))) {
      throw new RefusalError(404, 'this identity is not linked to the account');
    }
    const happened = { userId: id, origin: '', actor, ...about(identity) };
    this.events.emit({ type: 'identity-unlinked', ...happened });
    return { user: id, ...identity, linked: false };
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

const toIdentity = ({ issuer, subject, createdAt }: ExternalIdentityEntity) => ({
  issuer,
  subject,
  createdAt: toIsoTime(createdAt),
});

/** An issuer that is no URL has no host. */
const about = ({ issuer }: ExternalIdentity) => {
  const host = URL.parse(issuer)?.hostname;
  return host ? { detail: host, facts: { host } } : {};
};

function expectLinkable(identity: ExternalIdentity) {
  try {
    expectIdentity(identity);
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const description = 'issuer and subject take 1 to 255 characters without control characters';
    throw new RefusalError(400, description);
  }
}
