import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalError } from '../refusal.error.js';
import { AccountSessionsService } from '../sessions/account-sessions.service.js';
import type { EndedSession, NewSession, Session } from '../sessions/session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { User } from '../users/user.js';
import { UsersService } from '../users/users.service.js';
import { hashRecoveryCode } from './recovery-code.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

interface Recovery {
  readonly user: User;
  /** Of the new session. */
  readonly token: string;
  readonly endedSessions: readonly EndedSession[];
}

/** Locked in place of an account where a code is good for nothing: no account has this id. */
const NOBODY: User = { id: '', displayName: '' };

/** Signing in without a passkey: by one of the codes that a person kept, or by an administrator's link. */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly codes: RecoveryCodesService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly accountSessions: AccountSessionsService,
  ) {}

  /**
   * Uses a code up, ends all sessions of its account and the one that the request carried, and begins
   * a new one: all or nothing. Of any number of calls with one code one succeeds. Throws RefusalError
   * 400 for a code that is wrong, was used or has expired, with one text and after the same statements.
   */
  async recover(
    code: string,
    began: Pick<NewSession, 'origin' | 'browser'>,
    carried: Session | undefined,
  ): Promise<Recovery> {
    const codeHash = hashRecoveryCode(code);
    const user = (await this.codes.findOwner(codeHash)) ?? NOBODY;
    return this.dataSource.transaction(async (manager) => {
      await this.take(manager, user, codeHash);
      const ended = await this.accountSessions.endAll(manager, user);
      const session = { ...began, userId: user.id, began: { by: 'recovery' } } as const;
      const token = await this.sessions.start(manager, session, carried);
      return { user, token, endedSessions: withCarried(ended, carried) };
    });
  }

  /** Whoever may not sign in is to be refused between these two, so that the code stays good. */
  private async take(manager: EntityManager, user: User, codeHash: string) {
    const isUser = await this.users.lock(manager, user.id);
    const isTaken = await this.codes.take(manager, codeHash);
    if (!isUser || !isTaken) throw notGood();
  }
}

/** What the request carried may be a session of another account. */
function withCarried(ended: EndedSession[], carried: Session | undefined): EndedSession[] {
  if (!carried || ended.some(({ tokenHash }) => tokenHash === carried.tokenHash)) return ended;
  return [...ended, carried];
}

const notGood = () =>
  new RefusalError(
    400,
    'this code is wrong, already used or expired; try another one, or contact an administrator of this service',
  );
