import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/platform';
import { AllowRoutedMethods } from '../http/allow-routed-methods.decorator.js';
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
import { RecoveryCodesService } from './recovery-code.service.js';
import { RecoveryCodeStore } from './recovery-code.store.js';

/** The signed-in user's recovery codes (contract, Own account): 401, 405, 429, 413 or 400, fresh 403. */
@OwnAccountController('svc/me/recovery-codes')
export class RecoveryCodesController {
  constructor(
    private readonly codes: RecoveryCodesService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  async state(@CurrentUser() { id }: User, @Req() request: Request) {
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
}

/** Locked instead of an account when a code is invalid, so that the same statements run; no account has this id. */
const UNKNOWN_USER: User = { id: '', displayName: '' };

/** Signs in with a recovery code or an administrator's link: 405, 403, 429, as for the ceremonies, then 413 or 400. */
@Controller('svc')
@AllowRoutedMethods({ place: 'this route' })
@ErrorFormat(OWN_ACCOUNT)
export class RecoveryController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly codes: RecoveryCodeStore,
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
        if (user.id) this.events.emitRefusal('sign-in-failed', error, origin, user.id);
        throw error;
      },
    );
    this.sessions.give(request, response, token);
    this.events.emit({ type: 'account-recovered', userId: user.id, origin, endedSessions });
    return { user };
  }

  /** Signs in and ends other sessions in one transaction. Throws RefusalError 400 for an unusable code, alike. */
  private async signIn(user: User, codeHash: string, context: SignInContext) {
    return this.dataSource.transaction(async (manager) => {
      // A check that refuses a user has to run between lock and take, so that the code stays valid.
      const isUser = await this.users.lockWithCarried(manager, user.id, context.carried?.user);
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
