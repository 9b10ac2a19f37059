import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import { notFresh, type Session } from './session.js';

const FRESH_MS = 10 * 60 * 1000;

type HasPasskey = (userId: string, manager?: EntityManager) => Promise<boolean>;

type Beginning = Pick<Session, 'user' | 'createdAt' | 'beganBy'>;

/** Sessions that began since `since`, in epoch milliseconds; of these not the ones that began by `but`. */
export interface ProtectedSessions {
  readonly since: number;
  readonly but: 'external' | '';
}

/** For actions that a stolen session must not perform. */
@Injectable()
export class FreshnessService {
  private hasPasskey: HasPasskey = async () => false;

  /** Sets what decides whether an account has a passkey; without it, none has one. */
  askForPasskeys(hasPasskey: HasPasskey): void {
    this.hasPasskey = hasPasskey;
  }

  /** Whether an account has a passkey to sign in with. */
  async hasPasskeys(userId: string, manager?: EntityManager): Promise<boolean> {
    return this.hasPasskey(userId, manager);
  }

  /**
   * The sessions that this one may not end; undefined where it is fresh itself. Otherwise a stolen session, or one of the
   * provider alone, could end each session of its owner as soon as it begins.
   */
  async protectedFrom(session: Beginning): Promise<ProtectedSessions | undefined> {
    try {
      await this.expect(session);
      return undefined;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
    const since = Date.now() - FRESH_MS;
    return { since, but: (await this.hasPasskeys(session.user.id)) ? 'external' : '' };
  }

  /**
   * Throws RefusalError 403 with `reason: "sign_in_again"` unless the session began at most `maxAgeMs` ago. One of an
   * external sign-in is fresh for 10 minutes at most, and only without a passkey: otherwise the provider alone could
   * change what protects the account. Pass the manager of a transaction that locks the account, for a passkey that is
   * added meanwhile.
   */
  async expect(
    { user, createdAt, beganBy }: Beginning,
    maxAgeMs = FRESH_MS,
    manager?: EntityManager,
  ): Promise<void> {
    const age = Date.now() - createdAt;
    if (beganBy !== 'external') {
      if (age > maxAgeMs) throw notFresh();
      return;
    }
    if (await this.hasPasskey(user.id, manager)) throw notFresh();
    if (age > Math.min(maxAgeMs, FRESH_MS)) throw signInElsewhere();
  }
}

/** Without a passkey to sign in with. */
const signInElsewhere = () =>
  new RefusalError(
    403,
    'this requires a recent sign-in; sign in again, then try again',
    {},
    { reason: 'sign_in_again' },
  );
