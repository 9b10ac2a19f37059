import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RequestLocal } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { isInPassing } from './passing-request.js';
import { recogniseVisitor } from './visitor.adapter.js';
import { type Visitor, visitorAt } from './visitor.js';

interface CurrentVisitor extends Visitor {
  /** A page of another origin had his browser make the request. */
  readonly isInPassing: boolean;
  readonly userAgent: string | undefined;
}

const visitors = new RequestLocal<() => CurrentVisitor>();

/** Whose request is being handled, where the request itself does not get; undefined outside of one. */
export const currentVisitor = (): CurrentVisitor | undefined => visitors.get()?.();

/** Does the work, and all that it starts, for a client that asked at this address and is counted nowhere. */
export const asVisitor = <T>(address: string | undefined, work: () => T): T =>
  visitors.run(
    () => ({ ...visitorAt(address, 0), isInPassing: false, userAgent: undefined }),
    work,
  );

/** Lets all that a request starts know its visitor, who is looked for when somebody asks. */
@Injectable()
export class CurrentVisitorMiddleware implements NestMiddleware {
  constructor(@Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions) {}

  use(request: Request, _response: Response, next: NextFunction) {
    const recognise = () => ({
      ...recogniseVisitor(request, this.options),
      isInPassing: isInPassing(request.headers),
      userAgent: request.headers['user-agent'],
    });
    visitors.enter(recognise, next);
  }
}
