import { All, Body, Controller, HttpCode, Req, Res, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { JsonObject } from '#libs/platform';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { AuthPost } from '../http/auth-routes.decorator.js';
import { JsonObjectInterceptor, readJsonObject } from '../http/json-body.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { browserName } from '../session/browser-name.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { expectFresh, type Session } from '../session/session.js';
import type { User } from '../user/user.js';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { RecoveryCodesService } from './recovery-code.service.js';
import { RecoveryService } from './recovery.service.js';

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

/** Recovery for users without a passkey; rate-limited and guarded like the ceremonies. */
@Controller('svc')
@UseInterceptors(JsonObjectInterceptor)
export class RecoveryController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly recovery: RecoveryService,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('recovery')
  @HttpCode(200)
  async recover(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { code }: JsonObject,
  ): Promise<{ user: User }> {
    const { origin } = ownOriginOf(request);
    const carried = await this.sessions.find(request);
    const began = { origin, browser: browserName(request.headers['user-agent']) };
    const typed = typeof code === 'string' ? code : '';
    const { user, token, endedSessions } = await this.recovery.recover(typed, began, carried);
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'account-recovered', userId: user.id, origin, endedSessions });
    return { user };
  }
}
