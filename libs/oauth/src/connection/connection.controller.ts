import { Controller, Delete, Get, HttpCode, Patch, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import {
  AllowRoutedMethods,
  ChangeLimitGuard,
  CurrentSession,
  CurrentUser,
  ErrorFormat,
  JsonBody,
  OwnAccountController,
  ownOriginOf,
  RefusalError,
  type Session,
  SignedInGuard,
  strictPipe,
  type User,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import type { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { usableScopes } from '../grant/permission.js';
import { ConnectionChangeBody } from './connection-change.dto.js';
import { ConnectionReaderService } from './connection-reader.service.js';
import { ConnectionsService } from './connection.service.js';
import type { ConnectionCall } from './connection-calls.js';

const COLLECTION = '/svc/me/connections';
const CALLS = '/calls';

/** A call as its person sees it; times are epoch seconds. */
export const toCall = (call: ConnectionCall) => ({
  ...call,
  at: epochSeconds(call.at),
  lastAt: epochSeconds(call.lastAt),
});

/** What an app did (contract, Connections). A controller of its own, before the other, for its methods (405). */
@OwnAccountController(`${COLLECTION}/:id${CALLS}`)
export class ConnectionCallsController {
  constructor(private readonly reader: ConnectionReaderService) {}

  /** The id is the part of the path as sent, not decoded. */
  @Get()
  async list(@CurrentUser() user: User, @Req() request: Request) {
    const id = request.path.slice(COLLECTION.length + 1, -CALLS.length);
    await this.reader.get(user.id, id);
    const query = new URL(request.originalUrl, 'http://localhost').searchParams;
    const { calls, next } = await this.reader.calls.page(id, {
      before: query.get('before') ?? undefined,
    });
    return { calls: calls.map(toCall), next };
  }
}

/** What the signed-in user's apps may do (contract, Connections): 401, 405, 429, 413 or 400, id 404, fresh 403. */
@OwnAccountController(COLLECTION)
export class ConnectionsController {
  constructor(
    private readonly reader: ConnectionReaderService,
    private readonly connections: ConnectionsService,
  ) {}

  @Get()
  async list(@CurrentUser() user: User) {
    return { connections: await this.reader.list(user.id) };
  }

  @Get('{*rest}')
  async get(@CurrentUser() user: User, @Req() request: Request) {
    const grant = await this.reader.get(user.id, idOf(request));
    return { connection: await this.reader.describeOne(grant) };
  }

  @Patch('{*rest}')
  @UseGuards(ChangeLimitGuard)
  async change(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody(strictPipe) body: ConnectionChangeBody,
  ) {
    const { origin } = ownOriginOf(request);
    const grant = await this.connections.change(session, idOf(request), body, origin);
    return { connection: await this.reader.describeChanged(grant) };
  }
}

/** The rest of the path as sent, not decoded, so that each id has only one spelling. */
const idOf = ({ path }: Request) => path.slice(COLLECTION.length + 1);

const APPS = '/svc/me/apps';

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

  @Get(APPS)
  async list(@CurrentUser() { id }: User) {
    const grants = await this.grants.listOf(id);
    return { apps: grants.map(toConnectedApp) };
  }

  /** The id is the rest of the path, not decoded, so that no other spelling of an id matches it. */
  @Delete(`${APPS}/{*rest}`)
  @HttpCode(204)
  async disconnect(@CurrentSession() session: Session, @Req() request: Request): Promise<void> {
    const id = request.path.slice(APPS.length + 1);
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
