import { Injectable } from '@nestjs/common';
import { RefusalError, SecurityEventsService, UserDirectoryService } from '#libs/accounts';
import { type GrantEntity, GrantStore } from '#libs/oauth';
import type { PageRequest } from '#libs/platform';
import { mapPage, toIsoTime } from './operation/values.js';

@Injectable()
export class AppsAdministrationService {
  constructor(
    private readonly users: UserDirectoryService,
    private readonly grants: GrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  /** The connected apps of one user, newest first. @throws UnknownPageError */
  async list({ user, ...page }: PageRequest & { readonly user: string }) {
    await this.users.get(user);
    return mapPage(await this.grants.page(user, page), toApp);
  }

  /** An active grant. Throws RefusalError 404. */
  async show(id: string) {
    return toApp(await this.get(id));
  }

  /** Disconnects the app as its user would. Throws RefusalError 404, for all but one of parallel calls. */
  async revoke(id: string, actor: string) {
    const grant = await this.get(id);
    if (!(await this.grants.disconnect(grant))) throw unknownApp();
    const { userId, clientId, app } = grant;
    const happened = { userId, clientId, app, grantId: id, origin: '', actor };
    this.events.emit({ type: 'app-disconnected', ...happened });
    return toApp(grant);
  }

  private async get(id: string) {
    const grant = await this.grants.findActive(id);
    if (!grant) throw unknownApp();
    return grant;
  }
}

const unknownApp = () => new RefusalError(404, 'there is no connected app of that id');

const toApp = (grant: GrantEntity) => ({
  id: grant.id,
  user: grant.userId,
  client: grant.clientId,
  app: grant.app,
  redirectHost: grant.redirectHost,
  ...(grant.resource === null ? {} : { resource: grant.resource }),
  ...(grant.managedBy === null ? {} : { managedBy: grant.managedBy }),
  scope: grant.scope.split(' ').filter(Boolean),
  createdAt: toIsoTime(grant.createdAt),
  lastUsedAt: toIsoTime(grant.lastUsedAt),
  expiresAt: toIsoTime(grant.expiresAt),
});
