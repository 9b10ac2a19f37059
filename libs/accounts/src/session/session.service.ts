import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { EntityManager } from 'typeorm';
import { AccountTurns, RequestMember, SHORT_WAIT_MS } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { chargeBodyTo } from '../body/body-bytes.js';
import { setLogCaller } from '../http/log-reason.js';
import { RefusalError } from '../http/refusal.error.js';
import type { OwnOrigin } from '../request-origin/own-origin.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { generateId, hashSecret } from '../secret.js';
import type { EndedSession } from '../security-event/security-event.service.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { browserName } from './browser-name.js';
import { generateSessionToken, type NewSession, type Session, signInFirst } from './session.js';
import {
  acceptsSessionCookie,
  clearedSessionCookie,
  readSessionCookie,
  sessionCookie,
} from './session-cookie.js';
import { type SessionRow, SessionStore, sessionValues } from './session.store.js';

/** `lastSeenAt` is written at most this often, so that reading a session rarely needs a write. */
const LAST_SEEN_STEP_MS = 5 * 60 * 1000;

/** Instead, for an account with many sessions, whose last uses decide which of them end. */
const MANY_SESSIONS_STEP_MS = 1000;

/** A request that asks for a session, as NewSession and the relying party need it. */
export interface SignInContext extends OwnOrigin {
  readonly browser: string | null;
  readonly carried: Session | undefined;
}

/** Requests that took their turn to begin. */
const begun = new RequestMember<true>();

/** The sessions of browsers. The token is in a cookie that is accepted only from our own pages; its hash is stored. */
@Injectable()
export class BrowserSessionsService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    private readonly store: SessionStore,
    private readonly users: UserStore,
    private readonly turns: AccountTurns,
  ) {}

  /** The session that this request may use; undefined means signed out. */
  async find(request: Request): Promise<Session | undefined> {
    const token = this.tokenOf(request);
    if (token === undefined) return undefined;
    const session = await this.findByToken(token, ownOriginOf(request).origin);
    if (session) setLogCaller(request, { user: session.user.id });
    return session;
  }

  /**
   * As `find`, when the request may begin, which is asked once; from then on it counts for the account. Throws
   * RefusalError 429 where too many of its session wait for that. @internal
   */
  async findInTurn(request: Request, response: Response): Promise<Session | undefined> {
    const session = await this.find(request);
    if (!session || begun.get(request)) return session;
    begun.set(request, true);
    const foundAt = performance.now();
    const holder = { by: 'session', id: session.tokenHash, account: session.user.id } as const;
    if (!(await this.turns.begin(holder, response))) throw tooManyAtOnce();
    chargeBodyTo(request, session.user.id);
    return performance.now() - foundAt > SHORT_WAIT_MS ? this.find(request) : session;
  }

  /** As `find`. Throws RefusalError 401 when signed out. */
  async get(request: Request): Promise<Session> {
    return expectSession(await this.find(request));
  }

  /** As `findInTurn`. Throws RefusalError 401 when signed out. @internal */
  async getInTurn(request: Request, response: Response): Promise<Session> {
    return expectSession(await this.findInTurn(request, response));
  }

  /**
   * One statement, and one that records the use, at most every five minutes (every second with 50 sessions). @internal
   */
  async findByToken(token: string, origin: string): Promise<Session | undefined> {
    const now = Date.now();
    const found = await this.store.find(hashSecret(token));
    if (!found || found.origin !== origin || found.session.expiresAt <= now) return undefined;
    const stepMs = found.hasManySessions ? MANY_SESSIONS_STEP_MS : LAST_SEEN_STEP_MS;
    if (found.lastSeenAt <= now - stepMs) {
      const { createdAt } = found.session;
      await this.store.touch(found, now, this.expiryOf(createdAt, now));
    }
    return found.session;
  }

  /** What a sign-in, a registration or a recovery needs of its request. @internal */
  async contextOf(request: Request): Promise<SignInContext> {
    const browser = browserName(request.headers['user-agent']);
    return { ...ownOriginOf(request), browser, carried: await this.find(request) };
  }

  /** As `contextOf`, for a request that another site led here: `carried` is the cookie's session all the same. @internal */
  async contextOfReturn(request: Request): Promise<SignInContext> {
    const { origin, secure } = ownOriginOf(request);
    const token = readSessionCookie(request.headers.cookie, secure);
    const carried = token === undefined ? undefined : await this.findByToken(token, origin);
    return { ...(await this.contextOf(request)), carried };
  }

  /**
   * Begins a session in the caller's transaction, in place of the carried one. Throws AccountDisabledError. @internal
   */
  async start(manager: EntityManager, session: NewSession): Promise<string> {
    await this.users.expectEnabled(manager, session.userId);
    const token = generateSessionToken();
    await this.store.insert(manager, this.rowOf(session, token), session.carried);
    return token;
  }

  /** A session to begin: its token, and the values for `BEGIN_SESSION`. @internal */
  prepare(session: NewSession) {
    const token = generateSessionToken();
    return { token, values: sessionValues(this.rowOf(session, token), session.carried) };
  }

  /** After a sign-in with this token, ends the sessions of its account beyond 100. @internal */
  async endSurplus(user: User, token: string): Promise<EndedSession[]> {
    return this.store.endSurplusSessions(user, { tokenHash: hashSecret(token) });
  }

  give(request: Request, response: Response, token: string) {
    const maxAgeSeconds = Math.floor(this.options.sessionLifetimes.maxMs / 1000);
    const { secure } = ownOriginOf(request);
    response.append('Set-Cookie', sessionCookie(token, secure, maxAgeSeconds));
  }

  /** Ends the session of this request and clears the cookie; returns the session, if there was one. */
  async end(request: Request, response: Response): Promise<Session | undefined> {
    const { origin } = ownOriginOf(request);
    const token = this.tokenOf(request);
    const ended = token === undefined ? undefined : await this.findByToken(token, origin);
    if (token !== undefined) await this.store.delete(hashSecret(token), origin);
    this.clear(request, response);
    return ended;
  }

  clear(request: Request, response: Response) {
    const { secure } = ownOriginOf(request);
    response.append('Set-Cookie', clearedSessionCookie(secure));
  }

  private tokenOf(request: Request): string | undefined {
    const { origin, secure } = ownOriginOf(request);
    const { linkedPages = [] } = this.options;
    return acceptsSessionCookie(origin, request, linkedPages)
      ? readSessionCookie(request.headers.cookie, secure)
      : undefined;
  }

  private rowOf({ userId, origin, browser, began }: NewSession, token: string): SessionRow {
    const now = Date.now();
    return {
      tokenHash: hashSecret(token),
      id: generateId(),
      userId,
      origin,
      browser,
      beganBy: began.by,
      credentialId: 'credentialId' in began ? began.credentialId : null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: this.expiryOf(now, now),
    };
  }

  /** When a session expires if it is not used after `lastSeenAt`. */
  private expiryOf(createdAt: number, lastSeenAt: number) {
    const { idleMs, maxMs } = this.options.sessionLifetimes;
    return Math.min(createdAt + maxMs, lastSeenAt + idleMs);
  }
}

function expectSession(session: Session | undefined): Session {
  if (!session) throw signInFirst();
  return session;
}

const tooManyAtOnce = () =>
  new RefusalError(429, 'too many requests of this session at once; try again in a second', {
    'Retry-After': '1',
  });
