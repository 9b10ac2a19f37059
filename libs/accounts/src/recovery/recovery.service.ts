import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import { hashReadableCode } from '../secret.js';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { SessionStore } from '../session/session.store.js';
import type { SignInContext } from '../session/browser-sessions.service.js';
import type { EndedSession, Session, SignedIn } from '../session/session.js';
import { SessionsService } from '../session/session.service.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { RecoveryCodesService } from './recovery-code.service.js';

/** Locked instead of an account when a code is invalid, so that the same statements run; no account has this id. */
const UNKNOWN_USER: User = { id: '', displayName: '' };

/** Signs a user in without a passkey: with one of their recovery codes, or with an administrator's link. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly codes: RecoveryCodesService,
    private readonly users: UserStore,
    private readonly sessions: SessionsService,
    private readonly sessionStore: SessionStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Uses a code up, ends all sessions of its account and the session that the request carried, and begins a new
   * one, all in one transaction. Of any number of calls with one code, one succeeds. Throws RefusalError 400 for a
   * code that is wrong, used or expired, with one message and after the same statements.
   */
  async recover(code: string, context: SignInContext): Promise<SignedIn> {
    const { origin, carried } = context;
    const codeHash = hashReadableCode(code);
    const user = (await this.codes.findOwner(codeHash)) ?? UNKNOWN_USER;
    const recovering = this.dataSource.transaction(async (manager) => {
      // A check that refuses a user has to run between lock and take, so that the code stays valid.
      const isUser = await this.users.lock(manager, user.id);
      const isTaken = await this.codes.take(manager, codeHash);
      if (!isUser || !isTaken) throw notGood();
      const ended = await this.sessionStore.endAll(manager, user);
      const session = { ...context, userId: user.id, began: { by: 'recovery' } } as const;
      const token = await this.sessions.start(manager, session);
      return { user, token, endedSessions: withCarried(ended, carried) };
    });
    return recovering.catch((error: unknown) => {
      if (error instanceof RefusalError && user !== UNKNOWN_USER) {
        const { message: detail } = error;
        this.events.emit({ type: 'sign-in-failed', userId: user.id, origin, detail });
      }
      throw error;
    });
  }
}

/** The session that the request carried may belong to another account. */
function withCarried(ended: EndedSession[], carried: Session | undefined): EndedSession[] {
  if (!carried || ended.some(({ tokenHash }) => tokenHash === carried.tokenHash)) return ended;
  return [...ended, carried];
}

const notGood = () =>
  new RefusalError(
    400,
    'this code is wrong, already used or expired; try another one, or contact an administrator of this service',
  );
