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
import { ChallengesService } from '../challenge/challenge.service.js';
import { CHALLENGE_LIFETIME_MS } from '../challenge/challenge.store.js';
import { ChangedPasskeyError } from '../credential/assertion.js';
import { LoginService } from './login.service.js';

/** Login with a discoverable passkey (contract, Login): 405, 403, 429, 413 or 400, then the steps of LoginService. */
@AuthController()
export class LoginController {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly logins: LoginService,
    private readonly sessions: BrowserSessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Options with a fresh challenge, and without a list of credentials. */
  @AuthPost('login/options')
  async options(@Req() request: Request, @JsonBody() _fields: JsonObject) {
    const { origin, hostname } = ownOriginOf(request);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      challenge: await this.challenges.issueForSignIn(origin),
      rpID: hostname,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    });
  }

  @AuthPost('login/verify')
  async verify(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() body: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const { origin } = context;
    const { user, token, endedSessions } = await this.logins
      .signIn(context, body)
      .catch((error: unknown) => this.reportFailure(error, origin));
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'sign-in', userId: user.id, origin, endedSessions });
    return { user };
  }

  private reportFailure(error: unknown, origin: string): never {
    if (error instanceof ChangedPasskeyError) {
      this.events.emit({ type: error.change, userId: error.userId, origin });
    } else {
      this.events.emitRefusal('sign-in-failed', error, origin);
    }
    throw error;
  }
}
