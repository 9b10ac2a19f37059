import type { ServerResponse } from 'node:http';
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
} from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { RequestMember } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { checkAroundBody } from '../body/body-bytes.js';
import { hashSecret } from '../secret.js';
import { tooManyRequests } from '../visitor-limit/visitor.guard.js';
import { BrowserSessionsService } from './session.service.js';
import type { Session } from './session.js';
import { SessionStore } from './session.store.js';
import type { User } from '../user/user.js';

/** With this interval an end that this replica was not notified of is noticed within 30 seconds. */
const ROUND_MS = 20_000;

/** Closes an open response when its access ends: at `endsAt`, or when `isActive` resolves to false. */
export function endWithAccess(
  response: ServerResponse,
  endsAt: number,
  isActive: () => Promise<boolean>,
): void {
  if (response.destroyed) return;
  let timer: NodeJS.Timeout;
  const end = () => void response.destroy();
  const wait = () => {
    const left = endsAt - Date.now();
    timer = setTimeout(left > ROUND_MS ? round : end, Math.min(left, ROUND_MS)).unref();
  };
  const round = () => {
    wait();
    void isActive().then(
      (active) => active || end(),
      () => undefined,
    );
  };
  wait();
  response.once('close', () => clearTimeout(timer));
}

const passed = new RequestMember<Session>();

/** The session of a request that passed SessionGuard or SignedInGuard. */
function sessionOf(context: ExecutionContext): Session {
  const session = passed.get(context.switchToHttp().getRequest<Request>());
  if (!session) throw new Error('only a request that passed the session guard has a session');
  return session;
}

/** The limit of an account over all its sessions, as a multiple of the limit of one session. */
const LIMITS_OF_ACCOUNT = 10;

/**
 * Limits how often a signed-in user may change their own account: per session as often as a visitor may make
 * requests, per account ten times as often, regardless of the address. Throws RefusalError 429.
 */
@Injectable()
export class ChangeLimitService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  /** A change that the session's counter refuses does not count for the account. */
  async count(session: Session): Promise<void> {
    await this.countForSession(session);
    // Hashed, so that no key contains the id of an account, which may be deleted before the counter expires.
    const account = hashSecret(session.user.id);
    await this.increment(`account:${account}`, LIMITS_OF_ACCOUNT);
  }

  /** For changes that end a stolen session or undo what it did: a thief cannot lock the owner out of these. */
  async countForSession({ tokenHash }: Session): Promise<void> {
    await this.increment(`session:${tokenHash}`, 1);
  }

  private async increment(key: string, limits: number) {
    const { max, periodMs } = this.options.rateLimit;
    const limit = limits * max;
    const { isBlocked } = await this.storage.increment(key, periodMs, limit, periodMs, 'changes');
    if (isBlocked) throw tooManyRequests(periodMs);
  }
}

/**
 * Accepts a request with a valid session that our own pages made, also after it waited for its turn or its body came:
 * else RefusalError 401, and 429 for too many of a session that wait to begin.
 */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(private readonly sessions: BrowserSessionsService) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const check = () => this.sessions.getInTurn(request, response);
    const session = await checkAroundBody(request, check);
    passed.set(request, session);
    return true;
  }
}

/** Counts a change to the account of a request that passed SignedInGuard: RefusalError 429. */
@Injectable()
export class ChangeLimitGuard implements CanActivate {
  constructor(private readonly changes: ChangeLimitService) {}

  async canActivate(context: ExecutionContext) {
    await this.changes.count(sessionOf(context));
    return true;
  }
}

/** As ChangeLimitGuard, for changes that end a stolen session or remove what it added. */
@Injectable()
export class SessionChangeLimitGuard implements CanActivate {
  constructor(private readonly changes: ChangeLimitService) {}

  async canActivate(context: ExecutionContext) {
    await this.changes.countForSession(sessionOf(context));
    return true;
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Accepts a request with a valid session that our own pages made, else RefusalError 401. All but GET and HEAD count as
 * changes (429). Closes an open response when the session expires, or within 30 seconds when it ends early.
 */
@Injectable()
export class SessionGuard extends SignedInGuard {
  constructor(
    browserSessions: BrowserSessionsService,
    private readonly store: SessionStore,
    private readonly changes: ChangeLimitService,
  ) {
    super(browserSessions);
  }

  override async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (passed.get(request)) return true;
    await super.canActivate(context);
    const session = sessionOf(context);
    if (!READS.has(request.method)) await this.changes.count(session);
    const isActive = async () => (await this.store.expiryOf(session.tokenHash)) !== undefined;
    endWithAccess(http.getResponse<Response>(), session.expiresAt, isActive);
    return true;
  }
}

/** The session of the request, on routes behind SignedInGuard. */
export const CurrentSession = createParamDecorator<never, Session>(
  (_data, context: ExecutionContext) => sessionOf(context),
);

/** The signed-in user, on routes behind SessionGuard or SignedInGuard. */
export const CurrentUser = createParamDecorator<never, User>(
  (_data, context: ExecutionContext) => sessionOf(context).user,
);
