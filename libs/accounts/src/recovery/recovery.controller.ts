import { Body, Controller, HttpCode, Req, Res, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { JsonObject } from '#libs/platform';
import { AuthPost } from '../http/auth-routes.decorator.js';
import { JsonObjectInterceptor } from '../http/json-body.js';
import { SecurityEventsService } from '../security-event/security-events.service.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { browserName } from '../session/browser-name.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import type { User } from '../user/user.js';
import { RecoveryService } from './recovery.service.js';

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
