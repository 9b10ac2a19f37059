import type { Request } from 'express';
import { RequestMember } from '#libs/platform';
import type { AccountsOptions } from '../accounts.module-definition.js';
import { clientAddressOf } from './client-address.adapter.js';
import { isInPassing } from './passing-request.js';
import { type Visitor, visitorAt } from './visitor.js';

const visitors = new RequestMember<Visitor>();

/** Finds out who made a request, for {@link visitorOf} to tell. */
export function recogniseVisitor(request: Request, options: AccountsOptions): Visitor {
  const address = clientAddressOf(request, options.clientAddressHeader);
  const visitor = visitorAt(address, options.rateLimit.max);
  visitors.set(request, visitor);
  return visitor;
}

/** Who a request was counted for, behind VisitorGuard. */
export function visitorOf(request: Request): Visitor {
  const visitor = visitors.get(request);
  if (!visitor) throw new Error('VisitorGuard has to run before anything asks for the visitor');
  return visitor;
}

/** Where a request comes from, before anything is done for it: an IPv4 address, an IPv6 /48, or `local`. */
export const networkOf = (request: Request, clientAddressHeader?: string): string =>
  visitorAt(clientAddressOf(request, clientAddressHeader), 0).network;

/** Where a request is counted: what pages of others make a browser send in passing has a counter of its own. */
export const counterOf = (request: Request, visitor: string) =>
  isInPassing(request.headers) ? `${visitor}:passing` : visitor;

/** How many requests that counter takes in a period. */
export const limitOf = (request: Request, max: number) =>
  isInPassing(request.headers) ? Math.ceil(max / 2) : max;
