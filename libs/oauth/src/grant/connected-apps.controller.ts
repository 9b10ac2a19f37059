import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  BrowserSessionsService,
  ErrorFormat,
  methodNotAllowed,
  ownOriginOf,
  RefusalError,
  SecurityEventsService,
} from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import { scopeWords } from '../scope.js';
import type { GrantEntity } from './grant.entity.js';
import { GrantStore } from './grant.store.js';

const COLLECTION = '/svc/me/apps';

/** The apps that the signed-in user connected: list them, disconnect one. Of its refusals only 401 is JSON. */
@Controller()
@ErrorFormat({
  bodyOf: ({ status, message }) => (status === 401 ? { error: message } : undefined),
})
export class ConnectedAppsController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly grants: GrantStore,
    private readonly events: SecurityEventsService,
  ) {}

  @All(COLLECTION)
  async list(@Req() request: Request, @Res() response: Response) {
    const { user } = await this.sessions.get(request);
    if (request.method !== 'GET') throw methodNotAllowed(['GET']);
    const grants = await this.grants.listOf(user.id);
    response.json({ apps: grants.map(toConnectedApp) });
  }

  /** The id is the rest of the path, not decoded, so that no other spelling of an id matches it. */
  @All(`${COLLECTION}/{*rest}`)
  async disconnect(@Req() request: Request, @Res() response: Response) {
    const { user } = await this.sessions.get(request);
    if (request.method !== 'DELETE') throw methodNotAllowed(['DELETE']);
    const id = request.path.slice(COLLECTION.length + 1);
    const grant = (await this.grants.listOf(user.id)).find((listed) => listed.id === id);
    if (!grant || !(await this.grants.disconnect(grant)))
      throw new RefusalError(404, 'no such app');
    const { userId, clientId, app } = grant;
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'app-disconnected', userId, clientId, app, grantId: id, origin });
    response.status(204).end();
  }
}

/** A connected app as its user sees it (contract, Connected apps); times are epoch seconds. */
const toConnectedApp = (grant: GrantEntity) => ({
  id: grant.id,
  app: grant.app || grant.clientId,
  redirectHost: grant.redirectHost,
  published: grant.published,
  scope: scopeWords(grant.scope),
  createdAt: epochSeconds(grant.createdAt),
  expiresAt: epochSeconds(grant.expiresAt),
});
