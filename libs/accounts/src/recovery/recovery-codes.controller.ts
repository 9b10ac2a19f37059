import { All, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { readJsonObject } from '../http/json-body.js';
import { SecurityEventsService } from '../security-event/security-events.service.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { expectFresh, type Session } from '../session/session.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

/** The signed-in user's recovery codes: how many are left, and creating ten new ones. */
@Controller()
export class RecoveryCodesController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly changes: ChangeLimitService,
    private readonly codes: RecoveryCodesService,
    private readonly events: SecurityEventsService,
  ) {}

  @All('svc/me/recovery-codes')
  async answer(@Req() request: Request, @Res() response: Response) {
    const session = await this.sessions.get(request);
    const { method } = request;
    if (method === 'GET') response.json(await this.codes.stateOf(session.user.id));
    else if (method === 'POST') response.json(await this.replace(request, session));
    else throw methodNotAllowed(['GET', 'POST']);
  }

  private async replace(request: Request, session: Session) {
    await this.changes.count(session);
    await readJsonObject(request, request.headers['content-length']);
    expectFresh(session);
    const codes = await this.codes.replace(session);
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'recovery-codes-created', userId: session.user.id, origin });
    return { codes };
  }
}
