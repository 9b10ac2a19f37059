import { Delete, HttpCode, Patch, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OwnAccountController } from '../session/auth-routes.decorator.js';
import { JsonBody, sentencePipe } from '../body/json-body.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { BrowserSessionsService } from '../session/session.service.js';
import { type Session, signInFirst } from '../session/session.js';
import { ChangeLimitGuard, CurrentSession, CurrentUser } from '../session/session.guard.js';
import { NewDisplayName } from '../user/display-name.dto.js';
import type { User } from '../user/user.js';
import { UserDeletionService } from './user.service.js';
import { UserStore } from '../user/user.store.js';

/** The signed-in user's name, and deleting the account (contract, Own account): 401, 405, 429, 413 or 400, 403. */
@OwnAccountController('svc/me')
export class UserController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly users: UserStore,
    private readonly deletions: UserDeletionService,
    private readonly events: SecurityEventsService,
  ) {}

  @Patch()
  @UseGuards(ChangeLimitGuard)
  async rename(
    @CurrentUser() { id }: User,
    @Req() request: Request,
    @JsonBody(sentencePipe) { displayName }: NewDisplayName,
  ): Promise<{ user: User }> {
    const user = { id, displayName };
    if (!(await this.users.rename(user))) throw signInFirst();
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'display-name-changed', userId: id, origin });
    return { user };
  }

  @Delete()
  @HttpCode(204)
  @UseGuards(ChangeLimitGuard)
  async delete(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const endedSessions = await this.deletions.delete(session.user, session);
    if (!endedSessions) throw signInFirst();
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'account-deleted', userId: session.user.id, origin, endedSessions });
    this.sessions.clear(request, response);
  }
}
