import { RefusalError } from '../http/refusal.error.js';
import { type DynamicModule, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  ThrottlerModule,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { FixedWindow } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { countersOf, isCrossSiteSubrequest } from './visitor.js';
import { recogniseVisitor } from './visitor.middleware.js';

/** `Retry-After` is the whole period, not the rest of it. */
export function tooManyRequests(periodMs: number): RefusalError {
  const seconds = periodMs / 1000;
  const wait = seconds === 60 ? 'a minute' : `${seconds} seconds`;
  return new RefusalError(429, `too many requests; try again in ${wait}`, {
    'Retry-After': String(seconds),
  });
}

/** A token of its own for the storage of `accounts`: ThrottlerModule provides its storage under the usual one. */
export const VISITS = Symbol('visits');

const isSubrequest = (context: ExecutionContext) =>
  isCrossSiteSubrequest(context.switchToHttp().getRequest<Request>().headers);

/** Counts ceremonies and OAuth requests of a visitor against one limit (contract, Visitor limit). */
@Injectable()
export class VisitorGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) storage: ThrottlerStorage,
    reflector: Reflector,
    @Inject(ACCOUNTS_OPTIONS) private readonly accounts: AccountsOptions,
  ) {
    super(options, storage, reflector);
  }

  protected override async getTracker(request: Request) {
    return recogniseVisitor(request, this.accounts).key;
  }

  /** The windows of the request's visitor and of the networks around it, for a count of its own. */
  protected windowsOf(request: Request): readonly FixedWindow[] {
    const { max, periodMs } = this.accounts.rateLimit;
    const { key } = recogniseVisitor(request, this.accounts);
    return countersOf(key, max).map(({ key: name, limit }) => ({ key: name, limit, periodMs }));
  }

  /** The same counter for every route; subrequests of pages of other origins have a separate one. */
  protected override generateKey(context: ExecutionContext, visitor: string) {
    return isSubrequest(context) ? `${visitor}:foreign` : visitor;
  }

  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { ttl }: ThrottlerLimitDetail,
  ) {
    throw tooManyRequests(ttl);
  }
}

/** Configures VisitorGuard for the whole application: with the limit and the storage of `accounts`. */
export const visitorLimit = (accounts: DynamicModule): DynamicModule =>
  ThrottlerModule.forRootAsync({
    imports: [accounts],
    inject: [ACCOUNTS_OPTIONS, VISITS],
    useFactory: ({ rateLimit: { max, periodMs } }: AccountsOptions, storage: ThrottlerStorage) => ({
      throttlers: [
        {
          limit: (context) => (isSubrequest(context) ? Math.ceil(max / 2) : max),
          ttl: periodMs,
        },
      ],
      setHeaders: false,
      storage,
    }),
  });
