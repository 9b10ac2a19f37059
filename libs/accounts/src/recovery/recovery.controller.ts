import { All, Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/platform';
import { AllowedMethods } from '../http/allowed-methods.guard.js';
import { AuthPost, OwnAccountController } from '../session/auth-routes.decorator.js';
import { ErrorFormat, OWN_ACCOUNT } from '../http/error-format.decorator.js';
import { JsonBody } from '../body/json-body.js';
import { RefusalError } from '../http/refusal.error.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { hashReadableCode } from '../secret.js';
import {
  type EndedSession,
  SecurityEventsService,
} from '../security-event/security-event.service.js';
import type { Session } from '../session/session.js';
import { ChangeLimitGuard, CurrentSession, CurrentUser } from '../session/session.guard.js';
import { BrowserSessionsService, type SignInContext } from '../session/session.service.js';
import { SessionStore } from '../session/session.store.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { RecoveryCodesService, type RecoveryCodesState } from './recovery-code.service.js';

/**
 * The signed-in user's recovery codes: how many are left, and creating ten new ones. The order is session 401,
 * method 405, limit 429, body 413 or 400, fresh 403.
 */
@OwnAccountController('svc/me/recovery-codes')
export class RecoveryCodesController {
  constructor(
    private readonly codes: RecoveryCodesService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  @AllowedMethods(['GET', 'POST'])
  async state(@CurrentUser() { id }: User, @Req() request: Request): Promise<RecoveryCodesState> {
    return this.codes.stateOf(id, ownOriginOf(request).origin);
  }

  @Post()
  @HttpCode(200)
  @UseGuards(ChangeLimitGuard)
  async replace(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @JsonBody() _fields: JsonObject,
  ): Promise<{ codes: string[] }> {
    const { origin } = ownOriginOf(request);
    const codes = await this.codes.replace(session, origin);
    this.events.emit({ type: 'recovery-codes-created', userId: session.user.id, origin });
    return { codes };
  }

  @All()
  @AllowedMethods(['GET', 'POST'])
  refuseOtherMethods() {}
}

/** Locked instead of an account when a code is invalid, so that the same statements run; no account has this id. */
const UNKNOWN_USER: User = { id: '', displayName: '' };

/**
 * Signs a user in without a passkey: with one of their recovery codes, or with an administrator's link. Method 405,
 * origin 403 and limit 429 come first, as for the ceremonies, then the body 413 or 400.
 */
@Controller('svc')
@ErrorFormat(OWN_ACCOUNT)
export class RecoveryController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly codes: RecoveryCodesService,
    private readonly sessions: BrowserSessionsService,
    private readonly sessionStore: SessionStore,
    private readonly users: UserStore,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthPost('recovery')
  async recover(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @JsonBody() { code }: JsonObject,
  ): Promise<{ user: User }> {
    const context = await this.sessions.contextOf(request);
    const { origin } = context;
    const codeHash = hashReadableCode(typeof code === 'string' ? code : '');
    const user = (await this.codes.findOwner(codeHash, origin)) ?? UNKNOWN_USER;
    const { token, endedSessions } = await this.signIn(user, codeHash, context).catch(
      (error: unknown) => {
        if (error instanceof RefusalError && user !== UNKNOWN_USER) {
          const { message: detail } = error;
          this.events.emit({ type: 'sign-in-failed', userId: user.id, origin, detail });
        }
        throw error;
      },
    );
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'account-recovered', userId: user.id, origin, endedSessions });
    return { user };
  }

  /**
   * Uses the code up, ends all sessions of its account and the session that the request carried, and begins a new
   * one, all in one transaction. Of any number of calls with one code, one succeeds. Throws RefusalError 400 for a
   * code that is wrong, used, expired or of another origin, with one message and after the same statements.
   */
  private async signIn(user: User, codeHash: string, context: SignInContext) {
    return this.dataSource.transaction(async (manager) => {
      // A check that refuses a user has to run between lock and take, so that the code stays valid.
      const isUser = await this.users.lock(manager, user.id);
      const isTaken = await this.codes.take(manager, codeHash);
      if (!isUser || !isTaken) throw invalidCode();
      const ended = await this.sessionStore.endAll(manager, user);
      const session = { ...context, userId: user.id, began: { by: 'recovery' } } as const;
      const token = await this.sessions.start(manager, session);
      return { token, endedSessions: withCarried(ended, context.carried) };
    });
  }
}

/** The session that the request carried may belong to another account. */
function withCarried(ended: EndedSession[], carried: Session | undefined): EndedSession[] {
  if (!carried || ended.some(({ tokenHash }) => tokenHash === carried.tokenHash)) return ended;
  return [...ended, carried];
}

const invalidCode = () =>
  new RefusalError(
    400,
    'this code is wrong, already used or expired; try another one, or contact an administrator of this service',
  );
