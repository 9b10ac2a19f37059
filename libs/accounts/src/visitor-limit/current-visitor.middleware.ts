import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RequestLocal } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { isInPassing, type Visitor, visitorAt } from './visitor.js';
import { recogniseVisitor } from './visitor.adapter.js';

interface CurrentVisitor extends Visitor {
  /** Whether a page of another origin made the browser send the request in passing. */
  readonly isInPassing: boolean;
  readonly userAgent: string | undefined;
}

const visitors = new RequestLocal<() => CurrentVisitor>();

/** The visitor of the current request, for code that does not get the request; undefined outside a request. */
export const currentVisitor = (): CurrentVisitor | undefined => visitors.get()?.();

/** Runs `work` and what it starts with a visitor at this address, whose requests are not counted. */
export const asVisitor = <T>(address: string | undefined, work: () => T): T =>
  visitors.run(
    () => ({ ...visitorAt(address, 0), isInPassing: false, userAgent: undefined }),
    work,
  );

/** Makes the visitor of a request available to all code that it runs, which determines it on demand. */
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
