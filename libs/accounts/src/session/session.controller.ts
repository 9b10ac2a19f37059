import { Delete, Get, HttpCode, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { epochSeconds } from '#libs/platform';
import { AuthController, AuthPost, OwnAccountController } from './auth-routes.decorator.js';
import { RefusalError } from '../http/refusal.error.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { BrowserSessionsService } from './session.service.js';
import type { SessionEntity } from './session.entity.js';
import type { Session } from './session.js';
import { FreshnessService } from './freshness.service.js';
import { CurrentSession, SessionChangeLimitGuard } from './session.guard.js';
import { SessionStore } from './session.store.js';

/** An account's daily balance, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** Reads the balance that `me` shows. The application binds it, so that accounts does not depend on a budget store. */
export abstract class BudgetReader {
  static readonly portOf = 'accounts';

  /** Undefined, without a rejection, when the balance cannot be read: the account is then shown without one. */
  abstract find(userId: string): Promise<BudgetBalance | undefined>;
}

/** A session as its user sees it (contract, Own sessions); times are epoch seconds. */
export const toListedSession = (stored: SessionEntity, current: Session | undefined) => ({
  id: stored.id,
  browser: stored.browser,
  createdAt: epochSeconds(stored.createdAt),
  lastSeenAt: epochSeconds(stored.lastSeenAt),
  expiresAt: epochSeconds(stored.expiresAt),
  current: stored.tokenHash === current?.tokenHash,
});

@AuthController()
export class AccountController {
  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly budgets: BudgetReader,
    private readonly events: SecurityEventsService,
  ) {}

  /** `GET /svc/auth/me` (contract, Account status): 405, then the account, not rate-limited; null when signed out. */
  @Get('me')
  async me(@Req() request: Request) {
    const session = await this.sessions.find(request);
    if (!session) return { user: null, budget: null };
    const { user } = session;
    return { user, budget: (await this.budgets.find(user.id)) ?? null };
  }

  /** `POST /svc/auth/logout`: 405, 403, 429, then the session ends and the cookie is cleared. Reads no body. */
  @HttpCode(204)
  @AuthPost('logout')
  async logout(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const ended = await this.sessions.end(request, response);
    if (!ended) return;
    const { origin } = ownOriginOf(request);
    const { user } = ended;
    this.events.emit({ type: 'sign-out', userId: user.id, origin, endedSessions: [ended] });
  }
}

const COLLECTION = '/svc/me/sessions';

/** Where the account is signed in: list, end one, end all others. Session 401, method 405, limit 429, id 404, fresh 403. */
@OwnAccountController(COLLECTION)
export class SessionsController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionStore,
    private readonly freshness: FreshnessService,
    private readonly events: SecurityEventsService,
  ) {}

  @Get()
  async list(@CurrentSession() session: Session) {
    const stored = await this.sessions.list(session.user.id);
    return { sessions: stored.map((row) => toListedSession(row, session)) };
  }

  @Delete()
  @HttpCode(204)
  @UseGuards(SessionChangeLimitGuard)
  async endOthers(@CurrentSession() session: Session, @Req() request: Request): Promise<void> {
    const { user } = session;
    const endedSessions = await this.endBy(session);
    if (endedSessions.length === 0) return;
    const { origin } = ownOriginOf(request);
    this.events.emit({ type: 'other-sessions-ended', userId: user.id, origin, endedSessions });
  }

  /** The id is the rest of the path as sent, not decoded. */
  @Delete('{*rest}')
  @HttpCode(204)
  @UseGuards(SessionChangeLimitGuard)
  async end(
    @CurrentSession() session: Session,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const { user, tokenHash } = session;
    const [ended] = await this.endBy(session, request.path.slice(COLLECTION.length + 1));
    if (!ended) throw new RefusalError(404, 'no such session; it may have ended already');
    const { origin } = ownOriginOf(request);
    const endedSessions = [ended];
    this.events.emit({ type: 'session-ended', userId: user.id, origin, endedSessions });
    if (ended.tokenHash === tokenHash) this.browserSessions.clear(request, response);
  }

  private async endBy(session: Session, id?: string) {
    const ended = await this.sessions.endBy(
      session,
      await this.freshness.protectedFrom(session),
      id,
    );
    // Says how to sign in again.
    if (!ended) await this.freshness.expect(session);
    return ended ?? [];
  }
}
