import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import type { OwnOrigin } from '../request-origin/own-origin.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { browserName } from './browser-name.js';
import { type Session, signInFirst } from './session.js';
import { clearedSessionCookie, readSessionCookie, sessionCookie } from './session-cookie.js';
import { isCookieBelieved } from './session-gate.js';
import { SessionsService } from './session.service.js';

/** A request that asks for a session, as NewSession and the relying party need it. */
export interface SignInContext extends OwnOrigin {
  /** Display name of the browser. */
  readonly browser: string | null;
  /** The session that the request carries. */
  readonly carried: Session | undefined;
}

/** The session of a browser, in a cookie that is accepted only from our own pages. */
@Injectable()
export class BrowserSessionsService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    private readonly sessions: SessionsService,
  ) {}

  /** The session that this request may use; undefined means signed out. */
  async find(request: Request): Promise<Session | undefined> {
    const token = this.tokenOf(request);
    if (token === undefined) return undefined;
    return this.sessions.find(token, ownOriginOf(request).origin);
  }

  /** As `find`. Throws RefusalError 401 when signed out. */
  async get(request: Request): Promise<Session> {
    const session = await this.find(request);
    if (!session) throw signInFirst();
    return session;
  }

  /** What a sign-in, a registration or a recovery needs of its request. */
  async contextOf(request: Request): Promise<SignInContext> {
    const browser = browserName(request.headers['user-agent']);
    return { ...ownOriginOf(request), browser, carried: await this.find(request) };
  }

  /**
   * As `contextOf`, for a request that a page of another site leads to, such as the answer of an identity provider.
   * Its cookie is not believed, but the session in it ends too when the new one takes its place in the browser.
   */
  async contextOfReturn(request: Request): Promise<SignInContext> {
    const { origin, secure } = ownOriginOf(request);
    const token = readSessionCookie(request.headers.cookie, secure);
    const carried = token === undefined ? undefined : await this.sessions.find(token, origin);
    return { ...(await this.contextOf(request)), carried };
  }

  /** Sets the cookie with a new token. */
  give(request: Request, response: Response, token: string) {
    const maxAgeSeconds = Math.floor(this.options.sessionLifetimes.maxMs / 1000);
    const { secure } = ownOriginOf(request);
    response.append('Set-Cookie', sessionCookie(token, secure, maxAgeSeconds));
  }

  /** Ends the session of this request and clears the cookie; returns the session, if there was one. */
  async end(request: Request, response: Response): Promise<Session | undefined> {
    const { origin } = ownOriginOf(request);
    const token = this.tokenOf(request);
    const ended = token === undefined ? undefined : await this.sessions.end(token, origin);
    this.clear(request, response);
    return ended;
  }

  /** Clears the cookie after the session has ended. */
  clear(request: Request, response: Response) {
    const { secure } = ownOriginOf(request);
    response.append('Set-Cookie', clearedSessionCookie(secure));
  }

  private tokenOf(request: Request): string | undefined {
    const own = ownOriginOf(request);
    const { headers, method, path } = request;
    const provenance = {
      method,
      path,
      upgrade: headers.upgrade !== undefined,
      origin: headers.origin,
      referer: headers.referer,
      fetchSite: request.get('sec-fetch-site'),
      fetchMode: request.get('sec-fetch-mode'),
      fetchDest: request.get('sec-fetch-dest'),
    };
    const { linkedPages = [] } = this.options;
    return isCookieBelieved(own.origin, provenance, linkedPages)
      ? readSessionCookie(headers.cookie, own.secure)
      : undefined;
  }
}
