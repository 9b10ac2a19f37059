import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { RefusalError } from '../refusal.error.js';

/**
 * The one limit that a visitor's ceremonies and OAuth requests share (contract, Limits).
 * `Retry-After` is the whole period, not what is left of it.
 */
@Injectable()
export class VisitorGuard extends ThrottlerGuard {
  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { ttl }: ThrottlerLimitDetail,
  ): Promise<void> {
    const seconds = ttl / 1000;
    const wait = seconds === 60 ? 'a minute' : `${seconds} seconds`;
    throw new RefusalError(429, `too many requests; try again in ${wait}`, {
      'Retry-After': String(seconds),
    });
  }
}
