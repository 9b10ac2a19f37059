import { Controller, Delete, Get, HttpCode, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import {
  AllowRoutedMethods,
  CurrentUser,
  ErrorFormat,
  ownOriginOf,
  RefusalError,
  SecurityEventsService,
  SignedInGuard,
  type User,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import type { GrantEntity } from './grant.entity.js';
import { GrantStore } from './grant.store.js';
import { usableScopes } from './permission.js';

const COLLECTION = '/svc/me/apps';

/** How refusals look here: only 401 is JSON. */
const CONNECTED_APPS: ErrorFormat = {
  bodyOf: ({ status, message }) => (status === 401 ? { error: message } : undefined),
};

/** The apps that the signed-in user connected: list them, disconnect one. */
@Controller()
@AllowRoutedMethods()
@UseGuards(SignedInGuard)
@ErrorFormat(CONNECTED_APPS)
export class ConnectedAppsController {
  constructor(
    private readonly grants: GrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  @Get(COLLECTION)
  async list(@CurrentUser() { id }: User) {
    const grants = await this.grants.listOf(id);
    return { apps: grants.map(toConnectedApp) };
  }

  /** The id is the rest of the path, not decoded, so that no other spelling of an id matches it. */
  @Delete(`${COLLECTION}/{*rest}`)
  @HttpCode(204)
  async disconnect(@CurrentUser() user: User, @Req() request: Request): Promise<void> {
    const id = request.path.slice(COLLECTION.length + 1);
    const grant = await this.grants.findActive(id);
    if (grant?.userId !== user.id || !(await this.grants.disconnect(grant)))
      throw new RefusalError(404, 'no such app');
    const { userId, clientId, app } = grant;
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'app-disconnected', userId, clientId, app, grantId: id, origin });
  }
}

/** Which connected apps of the signed-in user trusted issuers decide about; only where there are such issuers. */
@Controller()
@AllowRoutedMethods()
@UseGuards(SignedInGuard)
@ErrorFormat(CONNECTED_APPS)
export class ManagedAppsController {
  constructor(private readonly grants: GrantStore) {}

  /** Ids as in the list of connected apps, whose record has no further member. */
  @Get('/svc/me/managed-apps')
  async list(@CurrentUser() { id: userId }: User) {
    const grants = await this.grants.listOf(userId);
    return {
      apps: grants.flatMap(({ id, managedBy }) => (managedBy === null ? [] : [{ id, managedBy }])),
    };
  }
}

/** A connected app as its user sees it (contract, Connected apps); times are epoch seconds. */
const toConnectedApp = (grant: GrantEntity) => ({
  id: grant.id,
  app: grant.app || grant.clientId,
  redirectHost: grant.redirectHost,
  published: grant.published,
  scope: usableScopes(grant),
  createdAt: epochSeconds(grant.createdAt),
  expiresAt: epochSeconds(grant.expiresAt),
});
