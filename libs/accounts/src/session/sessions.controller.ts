import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AccountSessionsService } from './session.store.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { type EndedSession, type Session } from './session.js';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { RefusalError } from '../http/refusal.error.js';
import { SecurityEventsService } from '../security-event/security-events.service.js';
import { toListedSession } from './listed-session.js';

const COLLECTION = '/svc/me/sessions';

/** Where the account is signed in: list, end one, end all others. */
@Controller()
export class SessionsController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly changes: ChangeLimitService,
    private readonly sessions: AccountSessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  @All(COLLECTION)
  async all(@Req() request: Request, @Res() response: Response) {
    const session = await this.browserSessions.get(request);
    if (request.method === 'GET') response.json({ sessions: await this.list(session) });
    else if (request.method === 'DELETE')
      response.status(204).end(await this.endOthers(request, session));
    else throw methodNotAllowed(['GET', 'DELETE']);
  }

  @All(`${COLLECTION}/{*rest}`)
  async one(@Req() request: Request, @Res() response: Response) {
    const session = await this.browserSessions.get(request);
    if (request.method !== 'DELETE') throw methodNotAllowed(['DELETE']);
    await this.changes.countForSession(session);
    const id = request.path.slice(COLLECTION.length + 1);
    const ended = await this.sessions.end(session.user, id);
    if (!ended) throw new RefusalError(404, 'no such session; it may have ended already');
    this.tell(request, 'session-ended', [ended]);
    if (ended.tokenHash === session.tokenHash) this.browserSessions.clear(request, response);
    response.status(204).end();
  }

  private async list(session: Session) {
    const stored = await this.sessions.list(session.user.id);
    return stored.map((one) => toListedSession(one, session));
  }

  private async endOthers(request: Request, session: Session) {
    await this.changes.countForSession(session);
    const ended = await this.sessions.endAll(undefined, session.user, session);
    if (ended.length > 0) this.tell(request, 'other-sessions-ended', ended);
  }

  private tell(
    request: Request,
    type: 'session-ended' | 'other-sessions-ended',
    endedSessions: readonly EndedSession[],
  ) {
    const userId = endedSessions[0]?.user.id ?? null;
    this.events.emit({ type, userId, origin: ownOriginOf(request).origin, endedSessions });
  }
}
