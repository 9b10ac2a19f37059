import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BrowserSessionsService, ErrorFormat, methodNotAllowed } from '#libs/accounts';
import { GrantStore } from '../grant/grant.store.js';

/** Which connected apps of the signed-in user trusted issuers decide about; only where there are such issuers. */
@Controller()
@ErrorFormat({
  bodyOf: ({ status, message }) => (status === 401 ? { error: message } : undefined),
})
export class ManagedAppsController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly grants: GrantStore,
  ) {}

  /** Ids as in the list of connected apps, whose record has no further member. */
  @All('/svc/me/managed-apps')
  async list(@Req() request: Request) {
    const { user } = await this.sessions.get(request);
    if (request.method !== 'GET') throw methodNotAllowed(['GET']);
    const grants = await this.grants.listOf(user.id);
    return {
      apps: grants.flatMap(({ id, managedBy }) => (managedBy === null ? [] : [{ id, managedBy }])),
    };
  }
}
