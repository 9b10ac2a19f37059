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
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { tooManyRequests } from './too-many-requests.js';
import { counterOf, limitOf, recogniseVisitor } from './visitor.adapter.js';

/** The storage of `accounts` under a name that ThrottlerModule has not given to its own. */
export const VISITS = Symbol('visits');

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<Request>();

/** The one limit that a visitor's ceremonies and OAuth requests share (contract, Limits). */
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

  /** The same counter for every route. */
  protected override generateKey(context: ExecutionContext, visitor: string) {
    return counterOf(requestOf(context), visitor);
  }

  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { ttl }: ThrottlerLimitDetail,
  ) {
    throw tooManyRequests(ttl);
  }
}

/** What VisitorGuard counts by, for the whole application: the limit and the storage of `accounts`. */
export const visitorLimit = (accounts: DynamicModule): DynamicModule =>
  ThrottlerModule.forRootAsync({
    imports: [accounts],
    inject: [ACCOUNTS_OPTIONS, VISITS],
    useFactory: ({ rateLimit }: AccountsOptions, storage: ThrottlerStorage) => ({
      throttlers: [
        {
          limit: (context) => limitOf(requestOf(context), rateLimit.max),
          ttl: rateLimit.periodMs,
        },
      ],
      setHeaders: false,
      storage,
    }),
  });
