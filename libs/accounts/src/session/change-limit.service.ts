import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { hashSecret } from '../secret.js';
import type { Session } from './session.js';
import { tooManyRequests } from '../visitor-limit/visitor.guard.js';

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

  /**
   * For changes that end a stolen session or remove what it added: the account's counter neither counts nor refuses
   * them, so that a thief's sessions cannot lock the owner out of them.
   */
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
