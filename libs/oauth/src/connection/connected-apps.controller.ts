import { Controller, Delete, Get, HttpCode, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import {
  AllowRoutedMethods,
  CurrentSession,
  CurrentUser,
  ErrorFormat,
  ownOriginOf,
  RefusalError,
  type Session,
  SignedInGuard,
  type User,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import type { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { usableScopes } from '../grant/permission.js';
import { ConnectionsService } from './connection.service.js';

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
    private readonly connections: ConnectionsService,
  ) {}

  @Get(COLLECTION)
  async list(@CurrentUser() { id }: User) {
    const grants = await this.grants.listOf(id);
    return { apps: grants.map(toConnectedApp) };
  }

  /** The id is the rest of the path, not decoded, so that no other spelling of an id matches it. */
  @Delete(`${COLLECTION}/{*rest}`)
  @HttpCode(204)
  async disconnect(@CurrentSession() session: Session, @Req() request: Request): Promise<void> {
    const id = request.path.slice(COLLECTION.length + 1);
    await this.connections.disconnect(session, id, ownOriginOf(request).origin, noSuchApp);
  }
}

const noSuchApp = () => new RefusalError(404, 'no such app');

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
