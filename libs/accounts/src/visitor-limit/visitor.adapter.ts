import type { Request } from 'express';
import { RequestMember } from '#libs/platform';
import type { AccountsOptions } from '../accounts.module-definition.js';
import { clientAddressOf } from './client-address.adapter.js';
import { isInPassing, type Visitor, visitorAt } from './visitor.js';

const visitors = new RequestMember<Visitor>();

/** Determines the visitor of a request and keeps it for {@link visitorOf}. */
export function recogniseVisitor(request: Request, options: AccountsOptions): Visitor {
  const address = clientAddressOf(request, options.clientAddressHeader);
  const visitor = visitorAt(address, options.rateLimit.max);
  visitors.set(request, visitor);
  return visitor;
}

/** The visitor that a request was counted for, on routes behind VisitorGuard. */
export function visitorOf(request: Request): Visitor {
  const visitor = visitors.get(request);
  if (!visitor) throw new Error('VisitorGuard has to run before anything asks for the visitor');
  return visitor;
}

/** The network of a request, known before any work is done for it: an IPv4 address, an IPv6 /48, or `local`. */
export const networkOf = (request: Request, clientAddressHeader?: string): string =>
  visitorAt(clientAddressOf(request, clientAddressHeader), 0).network;

/** The key of a request's counter: requests that pages of other origins make in passing have a separate one. */
export const counterOf = (request: Request, visitor: string) =>
  isInPassing(request.headers) ? `${visitor}:passing` : visitor;

/** The limit of that counter per period. */
export const limitOf = (request: Request, max: number) =>
  isInPassing(request.headers) ? Math.ceil(max / 2) : max;
