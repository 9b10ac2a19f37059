import { Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AuthController,
  AuthPost,
  BrowserSessionsService,
  JsonBody,
  SecurityEventsService,
  type User,
  visitorOf,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { RegistrationService } from './registration.service.js';

/** Both routes (contract, Registration): 405, 403, 429, 413 or 400, then the steps of RegistrationService. */
@AuthController()
export class PasskeyRegistrationController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly registration: RegistrationService,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('register/options')
  async options(@Req() request: Request, @JsonBody() fields: JsonObject) {
    const context = await this.sessions.contextOf(request);
    return this.registration.begin(context, fields, visitorOf(request));
  }

  @AuthPost('register/verify')
  async verify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() body: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const { origin, carried } = context;
    const registered = await this.registration.finish(context, body).catch((error: unknown) => {
      this.events.emitRefusal('passkey-refused', error, origin);
      throw error;
    });
    const { user } = registered;
    if (!('token' in registered)) {
      const { endedSessions } = registered;
      this.events.emit({ type: 'passkey-added', userId: user.id, origin, endedSessions });
      return { user };
    }
    const { token, inviteId: invite } = registered;
    this.sessions.give(request, response, token);
    this.events.emit({
      type: 'sign-up',
      userId: user.id,
      origin,
      ...(invite === undefined ? {} : { detail: `invite ${invite}`, facts: { invite } }),
      endedSessions: carried ? [carried] : [],
    });
    return { user };
  }
}
