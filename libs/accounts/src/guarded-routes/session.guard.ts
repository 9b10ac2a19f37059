import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RequestMember } from '#libs/platform';
import { ChangeLimitService } from '../visitor-limit/change-limit.service.js';
import { BrowserSessionsService } from '../session/browser-sessions.service.js';
import type { Session } from '../session/session.js';
import { SessionsService } from '../session/sessions.service.js';
import { endWithAccess } from './access-end.js';
import { checkAgainAfterBody } from '../http/json-body.js';

const passed = new RequestMember<Session>();

/** The session of a request that passed SessionGuard. */
export function sessionOf(request: Request): Session {
  const session = passed.get(request);
  if (!session) throw new Error('only a request that passed the session guard has a session');
  return session;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Accepts a request with a valid session that our own pages made; any other is RefusalError 401. A method other
 * than GET and HEAD counts as a change to the account and may be refused with 429, as under `/svc/me`. A response
 * that is still open is closed when the session expires, or within 30 seconds when the session is ended early. An
 * error of the look-up is thrown unchanged.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly browserSessions: BrowserSessionsService,
    private readonly sessions: SessionsService,
    private readonly changes: ChangeLimitService,
  ) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (passed.get(request)) return true;
    const session = await this.browserSessions.get(request);
    if (!READS.has(request.method)) await this.changes.count(session);
    endWithAccess(http.getResponse<Response>(), session.expiresAt, () => this.isActive(session));
    checkAgainAfterBody(request, () => this.browserSessions.get(request));
    passed.set(request, session);
    return true;
  }

  private async isActive({ tokenHash }: Session) {
    return (await this.sessions.activeAmong([tokenHash])).has(tokenHash);
  }
}
