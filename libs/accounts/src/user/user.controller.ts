import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { displayNameFault, parseDisplayName } from './display-name.js';
import { expectFresh, type Session } from '../session/session.js';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { readOwnFields } from '../http/own-fields.js';
import { RefusalError } from '../http/refusal.error.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { type User } from './user.js';
import { UserDeletionService } from './user.service.js';
import { UsersService } from './user.store.js';

/** The signed-in user's name, and deleting the account. */
@Controller()
export class ProfileController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly changes: ChangeLimitService,
    private readonly users: UsersService,
    private readonly deletions: UserDeletionService,
    private readonly events: SecurityEventsService,
  ) {}

  @All('svc/me')
  async me(@Req() request: Request, @Res() response: Response) {
    const session = await this.sessions.get(request);
    if (request.method === 'PATCH') {
      response.json({ user: await this.rename(request, session) });
    } else if (request.method === 'DELETE') {
      await this.delete(request, session);
      this.sessions.clear(request, response);
      response.status(204).end();
    } else throw methodNotAllowed(['PATCH', 'DELETE']);
  }

  private async delete(request: Request, session: Session) {
    await this.changes.count(session);
    expectFresh(session);
    const endedSessions = await this.deletions.delete(session.user, session);
    if (!endedSessions) throw new RefusalError(401, 'sign in first');
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'account-deleted', userId: session.user.id, origin, endedSessions });
  }

  private async rename(request: Request, asking: Session): Promise<User> {
    await this.changes.count(asking);
    const { session, fields } = await readOwnFields(request, this.sessions);
    const displayName = parseDisplayName(fields['displayName']);
    if (displayName === undefined) {
      throw new RefusalError(400, `displayName ${displayNameFault(fields['displayName'])}`);
    }
    const user = { id: session.user.id, displayName };
    if (!(await this.users.rename(user))) throw new RefusalError(401, 'sign in first');
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'display-name-changed', userId: user.id, origin });
    return user;
  }
}
