import { All, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { JsonObject } from '#libs/platform';
import { AllowedMethods } from '../http/allowed-methods.guard.js';
import { AuthPost, OwnAccountController } from '../http/auth-routes.decorator.js';
import { ErrorFormat, OWN_ACCOUNT } from '../http/error-format.decorator.js';
import { JsonBody } from '../http/json-body.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import { FreshnessService } from '../session/freshness.service.js';
import type { Session } from '../session/session.js';
import { ChangeLimitGuard, CurrentSession, CurrentUser } from '../session/session.guard.js';
import type { User } from '../user/user.js';
import { RecoveryCodesService, type RecoveryCodesState } from './recovery-code.service.js';
import { RecoveryService } from './recovery.service.js';

/**
 * The signed-in user's recovery codes: how many are left, and creating ten new ones. The order is session 401,
 * method 405, limit 429, body 413 or 400, fresh 403.
 */
@OwnAccountController('svc/me/recovery-codes')
export class RecoveryCodesController {
  constructor(
    private readonly codes: RecoveryCodesService,
    private readonly freshness: FreshnessService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  @AllowedMethods(['GET', 'POST'])
  async state(@CurrentUser() { id }: User): Promise<RecoveryCodesState> {
    return this.codes.stateOf(id);
  }

  @Post()
  @HttpCode(200)
  @UseGuards(ChangeLimitGuard)
  async replace(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody() _fields: JsonObject,
  ): Promise<{ codes: string[] }> {
    await this.freshness.expect(session);
    const codes = await this.codes.replace(session);
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'recovery-codes-created', userId: session.user.id, origin });
    return { codes };
  }

  @All()
  @AllowedMethods(['GET', 'POST'])
  refuseOtherMethods() {}
}

/** Recovery for users without a passkey; rate-limited and guarded like the ceremonies. */
@Controller('svc')
@ErrorFormat(OWN_ACCOUNT)
export class RecoveryController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly recovery: RecoveryService,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('recovery')
  async recover(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() { code }: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const typed = typeof code === 'string' ? code : '';
    const { user, token, endedSessions } = await this.recovery.recover(typed, context);
    this.sessions.give(request, response, token);
    const { origin } = context;
    this.events.emit({ type: 'account-recovered', userId: user.id, origin, endedSessions });
    return { user };
  }
}
