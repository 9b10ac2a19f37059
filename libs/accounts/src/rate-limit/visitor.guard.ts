import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { tooManyRequests } from './too-many-requests.js';

/** The one limit that a visitor's ceremonies and OAuth requests share (contract, Limits). */
@Injectable()
export class VisitorGuard extends ThrottlerGuard {
  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { ttl }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw tooManyRequests(ttl);
  }
}
