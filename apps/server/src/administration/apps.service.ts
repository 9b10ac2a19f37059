import { Injectable } from '@nestjs/common';
import { SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { GrantsDirectoryService, type GrantRecord } from '#libs/oauth';
import type { PageRequest } from '#libs/platform';
import { toIsoTime } from './values.js';

/** Connected apps for operators; like UsersAdministrationService for accounts. */
@Injectable()
export class AppsAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly grants: GrantsDirectoryService,
    private readonly events: SecurityEventsService,
  ) {}

  /** The connected apps of one user, newest first. @throws UnknownPageError */
  async list(asked: PageRequest & { readonly user: string }) {
    await this.users.get(asked.user);
    const { items, next } = await this.grants.list(asked);
    return { items: items.map(toApp), next };
  }

  async show(id: string) {
    return toApp(await this.grants.get(id));
  }

  /** Disconnects the app: its tokens are invalid from now on. */
  async revoke(id: string, actor: string) {
    const grant = await this.grants.revoke(id);
    const { userId, clientId, app } = grant;
    const happened = { userId, clientId, app, grantId: id, origin: '', actor };
    this.events.emit({ type: 'app-disconnected', ...happened });
    return toApp(grant);
  }
}

const toApp = (grant: GrantRecord) => ({
  id: grant.id,
  user: grant.userId,
  client: grant.clientId,
  app: grant.app,
  redirectHost: grant.redirectHost,
  scope: grant.scope,
  createdAt: toIsoTime(grant.createdAt),
  lastUsedAt: toIsoTime(grant.lastUsedAt),
  expiresAt: toIsoTime(grant.expiresAt),
});
