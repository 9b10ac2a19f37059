import { All, Controller, HttpCode, Logger, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OutageLog } from '#libs/platform';
import { methodNotAllowed } from '../http/allowed-methods.guard.js';
import { AuthController, AuthGet, AuthPost } from '../http/auth-routes.decorator.js';
import { RefusalError } from '../http/refusal.error.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import type { User } from '../user/user.js';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { BrowserSessionsService } from './browser-sessions.service.js';
import type { EndedSession, Session } from './session.js';
import { AccountSessionsService } from './session.store.js';

/** An account's daily balance, in credits; `resetsAt` is an ISO 8601 UTC time. */
export interface BudgetBalance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string;
}

/** Reads the balance that `me` shows. The application binds it, so that accounts does not depend on a budget store. */
export abstract class BudgetReader {
  static readonly portOf = 'accounts';

  /** Undefined when the balance cannot be read at the moment; the account is then shown without one. */
  abstract find(userId: string): Promise<BudgetBalance | undefined>;
}

/** A session as its user sees it; times are epoch seconds. */
export interface ListedSession {
  readonly id: string;
  /** Display name, such as "Firefox on Windows". */
  readonly browser: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

type Stored = Awaited<ReturnType<AccountSessionsService['list']>>[number];

const seconds = (ms: number) => Math.floor(ms / 1000);

export const toListedSession = (stored: Stored, asking: Session): ListedSession => ({
  id: stored.id,
  browser: stored.browser,
  createdAt: seconds(stored.createdAt),
  lastSeenAt: seconds(stored.lastSeenAt),
  expiresAt: seconds(stored.expiresAt),
  current: stored.tokenHash === asking.tokenHash,
});

interface AccountStatus {
  readonly user: User | null;
  readonly budget: BudgetBalance | null;
}

@AuthController()
export class AccountController {
  private readonly outage = new OutageLog(new Logger(AccountController.name));

  constructor(
    private readonly sessions: BrowserSessionsService,
    private readonly budgets: BudgetReader,
    private readonly events: SecurityEventsService,
  ) {}

  @AuthGet('me')
  async me(@Req() request: Request): Promise<AccountStatus> {
    const session = await this.sessions.find(request);
    if (!session) return { user: null, budget: null };
    const { user } = session;
    return { user, budget: await this.findBudget(user.id) };
  }

  @AuthPost('logout')
  @HttpCode(204)
  async logout(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const ended = await this.sessions.end(request, response);
    if (!ended) return;
    const { origin } = ownOriginOf(request);
    const { user } = ended;
    this.events.emit({ type: 'sign-out', userId: user.id, origin, endedSessions: [ended] });
  }

  /** Null when the balance cannot be read, so that the account is still shown. */
  private async findBudget(userId: string) {
    try {
      const balance = await this.budgets.find(userId);
      this.outage.end('budgets can be read again');
      return balance ?? null;
    } catch (error) {
      this.outage.begin(`budgets cannot be read: ${String(error)}`);
      return null;
    }
  }
}

const COLLECTION = '/svc/me/sessions';

/** Where the account is signed in: list, end one, end all others. */
@Controller()
export class SessionsController {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly changes: ChangeLimitService,
    private readonly sessions: AccountSessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  @All(COLLECTION)
  async all(@Req() request: Request, @Res() response: Response) {
    const session = await this.browserSessions.get(request);
    if (request.method === 'GET') response.json({ sessions: await this.list(session) });
    else if (request.method === 'DELETE')
      response.status(204).end(await this.endOthers(request, session));
    else throw methodNotAllowed(['GET', 'DELETE']);
  }

  @All(`${COLLECTION}/{*rest}`)
  async one(@Req() request: Request, @Res() response: Response) {
    const session = await this.browserSessions.get(request);
    if (request.method !== 'DELETE') throw methodNotAllowed(['DELETE']);
    await this.changes.countForSession(session);
    const id = request.path.slice(COLLECTION.length + 1);
    const ended = await this.sessions.end(session.user, id);
    if (!ended) throw new RefusalError(404, 'no such session; it may have ended already');
    this.tell(request, 'session-ended', [ended]);
    if (ended.tokenHash === session.tokenHash) this.browserSessions.clear(request, response);
    response.status(204).end();
  }

  private async list(session: Session) {
    const stored = await this.sessions.list(session.user.id);
    return stored.map((one) => toListedSession(one, session));
  }

  private async endOthers(request: Request, session: Session) {
    await this.changes.countForSession(session);
    const ended = await this.sessions.endAll(undefined, session.user, session);
    if (ended.length > 0) this.tell(request, 'other-sessions-ended', ended);
  }

  private tell(
    request: Request,
    type: 'session-ended' | 'other-sessions-ended',
    endedSessions: readonly EndedSession[],
  ) {
    const userId = endedSessions[0]?.user.id ?? null;
    this.events.emit({ type, userId, origin: ownOriginOf(request).origin, endedSessions });
  }
}
