import { Body, Req, Res, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AuthController,
  AuthPost,
  browserName,
  BrowserSessionsService,
  JsonObjectInterceptor,
  ownOriginOf,
  type SecurityEvent,
  SecurityEventsService,
  type Session,
  type User,
  visitorOf,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import {
  eventOfFailedSignIn,
  eventOfRefusedPasskey,
  eventOfSignUp,
  type SeenBrowser,
} from '../ceremony.js';
import { LoginService } from '../login/login.service.js';
import { RegistrationOptionsService, RegistrationService } from './registration.service.js';

@AuthController()
@UseInterceptors(JsonObjectInterceptor)
export class CeremoniesController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly registrationOptions: RegistrationOptionsService,
    private readonly registration: RegistrationService,
    private readonly login: LoginService,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('register/options')
  async registerOptions(@Req() request: Request, @Body() fields: JsonObject) {
    const session = await this.sessions.find(request);
    const visitor = visitorOf(request);
    return this.registrationOptions.generate(ownOriginOf(request), session, fields, visitor);
  }

  @AuthPost('register/verify')
  async registerVerify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: JsonObject,
  ): Promise<{ user: User }> {
    const own = ownOriginOf(request);
    const session = await this.sessions.find(request);
    const registered = await this.tellRefusal(
      this.registration.finish(own, seenOf(request, session), body),
      (error) => eventOfRefusedPasskey(error, own.origin),
    );
    const { user } = registered;
    const happened = { userId: user.id, origin: own.origin };
    if ('token' in registered) {
      this.sessions.give(request, response, registered.token);
      this.events.emit(eventOfSignUp(happened, session, registered.inviteId));
    } else {
      this.events.emit({ type: 'passkey-added', ...happened });
    }
    return { user };
  }

  @AuthPost('login/options')
  async loginOptions(@Req() request: Request) {
    return this.login.begin(ownOriginOf(request));
  }

  @AuthPost('login/verify')
  async loginVerify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: JsonObject,
  ): Promise<{ user: User }> {
    const own = ownOriginOf(request);
    const session = await this.sessions.find(request);
    const { user, token, ended } = await this.tellRefusal(
      this.login.finish(own, seenOf(request, session), body),
      (error) => eventOfFailedSignIn(error, own.origin),
    );
    this.sessions.give(request, response, token);
    const endedSessions = session ? [session, ...ended] : ended;
    this.events.emit({ type: 'sign-in', userId: user.id, origin: own.origin, endedSessions });
    return { user };
  }

  private async tellRefusal<T>(
    ceremony: Promise<T>,
    eventOf: (error: unknown) => SecurityEvent | undefined,
  ): Promise<T> {
    try {
      return await ceremony;
    } catch (error) {
      const event = eventOf(error);
      if (event) this.events.emit(event);
      throw error;
    }
  }
}

const seenOf = (request: Request, session: Session | undefined): SeenBrowser => ({
  session,
  browser: browserName(request.headers['user-agent']),
});
