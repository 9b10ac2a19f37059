import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { tooManyRequests } from './too-many-requests.js';

/**
 * How often somebody who is signed in may change something about the own account: as often as a visitor
 * may make requests. Each session has a counter of its own, so that a stolen one cannot keep its owner
 * from ending it.
 */
@Injectable()
export class ChangeLimitService {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  /** Throws RefusalError 429. */
  async count({ tokenHash }: { readonly tokenHash: string }): Promise<void> {
    const { max, periodMs } = this.options.rateLimit;
    const key = `session:${tokenHash}`;
    const { isBlocked } = await this.storage.increment(key, periodMs, max, periodMs, 'changes');
    if (isBlocked) throw tooManyRequests(periodMs);
  }
}
