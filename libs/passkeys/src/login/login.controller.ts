import { Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AuthController,
  AuthPost,
  BrowserSessionsService,
  JsonBody,
  ownOriginOf,
  SecurityEventsService,
  type User,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { isRefusal } from '../ceremony.js';
import { CounterReversedError, LoginService, OwnerRefusedError } from './login.service.js';

/** Both routes: method 405, origin 403, limit 429, body 413 or 400 (contract, Accounts), then LoginService. */
@AuthController()
export class LoginController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly login: LoginService,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('login/options')
  async options(@Req() request: Request, @JsonBody() _fields: JsonObject) {
    return this.login.begin(ownOriginOf(request));
  }

  @AuthPost('login/verify')
  async verify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() body: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const { origin } = context;
    const { user, token, endedSessions } = await this.login
      .finish(context, body)
      .catch((error: unknown) => this.tellFailure(error, origin));
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'sign-in', userId: user.id, origin, endedSessions });
    return { user };
  }

  private tellFailure(error: unknown, origin: string): never {
    if (error instanceof CounterReversedError) {
      this.events.emit({ type: 'signature-counter-reversed', userId: error.userId, origin });
    } else if (isRefusal(error)) {
      const userId = error instanceof OwnerRefusedError ? error.userId : null;
      this.events.emit({ type: 'sign-in-failed', userId, origin, detail: error.message });
    }
    throw error;
  }
}
