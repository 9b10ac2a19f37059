import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { tooManyRequests } from './too-many-requests.js';

/** What all sessions of an account may change together, in limits of one session. */
const LIMITS_OF_ACCOUNT = 10;

interface ChangingSession {
  readonly tokenHash: string;
  readonly user: { readonly id: string };
}

/**
 * How often a signed-in person may change something about their own account: per session as often as a
 * visitor may make requests, per account ten times as often, from whatever addresses. Throws RefusalError 429.
 */
@Injectable()
export class ChangeLimitService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  /** What the session's counter refuses does not count for the account. */
  async count(session: ChangingSession): Promise<void> {
    await this.countForSession(session);
    // Hashed, so that no key names an account, which may be deleted before its counter ends.
    const account = hash('sha256', session.user.id, 'base64url');
    await this.increment(`account:${account}`, LIMITS_OF_ACCOUNT);
  }

  /**
   * For changes that put a stolen session out, or what it added: the account's counter neither counts nor
   * refuses them, so that the sessions of a thief cannot keep the owner from them.
   */
  async countForSession({ tokenHash }: Pick<ChangingSession, 'tokenHash'>): Promise<void> {
    await this.increment(`session:${tokenHash}`, 1);
  }

  private async increment(key: string, limits: number) {
    const { max, periodMs } = this.options.rateLimit;
    const limit = limits * max;
    const { isBlocked } = await this.storage.increment(key, periodMs, limit, periodMs, 'changes');
    if (isBlocked) throw tooManyRequests(periodMs);
  }
}
