import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { tooManyRequests } from './too-many-requests.js';
import { counterOf, limitOf, recogniseVisitor } from './visitor.adapter.js';

/** The one limit that a visitor's ceremonies and OAuth requests share (contract, Limits). */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    @Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions,
    @Inject(getStorageToken()) private readonly storage: ThrottlerStorage,
  ) {}

  async canActivate(context: ExecutionContext) {
    const { max, periodMs } = this.options.rateLimit;
    const request = context.switchToHttp().getRequest<Request>();
    const visitor = recogniseVisitor(request, this.options);
    const [counter, limit] = [counterOf(request, visitor.key), limitOf(request, max)];
    const visits = await this.storage.increment(counter, periodMs, limit, periodMs, 'default');
    if (visits.isBlocked) throw tooManyRequests(periodMs);
    return true;
  }
}
