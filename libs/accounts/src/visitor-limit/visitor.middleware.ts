import type { NextFunction, Request, Response } from 'express';
import { RequestLocal, RequestMember } from '#libs/platform';
import { ACCOUNTS_OPTIONS, type AccountsOptions } from '../accounts.module-definition.js';
import { isCrossSiteSubrequest, type Visitor, visitorAt } from './visitor.js';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';

type Trust = (address: string | undefined, hop: number) => boolean;

/** The client address that the trusted edge set, in its own header or in `X-Forwarded-For`; undefined without one. */
export function clientAddressOf(request: Request, edgeHeader?: string): string | undefined {
  if (edgeHeader === undefined) return request.ips[0];
  const trusts = request.app.get('trust proxy fn') as Trust;
  return trusts(request.socket.remoteAddress, 0) ? request.get(edgeHeader) : undefined;
}

type Party = Pick<Visitor, 'key' | 'network'>;

const parties = new RequestMember<Party>();

/** The party that sent a request, read from its head once: several steps of a request ask for it. */
export function partyOf(request: Request, clientAddressHeader?: string): Party {
  const known = parties.get(request);
  if (known) return known;
  const { key, network } = visitorAt(clientAddressOf(request, clientAddressHeader), 0);
  const party = { key, network };
  parties.set(request, party);
  return party;
}

const recognised = new RequestMember<Visitor>();

/** Determines the visitor of a request and keeps it for {@link visitorOf}. */
export function recogniseVisitor(request: Request, options: AccountsOptions): Visitor {
  const party = partyOf(request, options.clientAddressHeader);
  const visitor = { ...party, limit: options.rateLimit.max };
  recognised.set(request, visitor);
  return visitor;
}

/** The visitor that a request was counted for, on routes behind VisitorGuard. */
export function visitorOf(request: Request): Visitor {
  const visitor = recognised.get(request);
  if (!visitor) throw new Error('VisitorGuard has to run before anything asks for the visitor');
  return visitor;
}

/** The network of a request, known before any work is done for it: an IPv4 address, an IPv6 /48, or `local`. */
export const networkOf = (request: Request, clientAddressHeader?: string): string =>
  partyOf(request, clientAddressHeader).network;

interface CurrentVisitor extends Visitor {
  /** Whether a page of another origin made the browser send the request without a navigation. */
  readonly isCrossSiteSubrequest: boolean;
  readonly userAgent: string | undefined;
}

const current = new RequestLocal<() => CurrentVisitor>();

/** The visitor of the current request, for code that does not get the request; undefined outside a request. */
export const currentVisitor = (): CurrentVisitor | undefined => current.get()?.();

/** Runs `work` and what it starts with a visitor at this address, whose requests are not counted. */
export const asVisitor = <T>(address: string | undefined, work: () => T): T =>
  current.run(
    () => ({ ...visitorAt(address, 0), isCrossSiteSubrequest: false, userAgent: undefined }),
    work,
  );

/** Makes the visitor of a request available to all code that it runs, which determines it on demand. */
@Injectable()
export class CurrentVisitorMiddleware implements NestMiddleware {
  constructor(@Inject(ACCOUNTS_OPTIONS) private readonly options: AccountsOptions) {}

  use(request: Request, _response: Response, next: NextFunction) {
    const recognise = () => ({
      ...recogniseVisitor(request, this.options),
      isCrossSiteSubrequest: isCrossSiteSubrequest(request.headers),
      userAgent: request.headers['user-agent'],
    });
    current.enter(recognise, next);
  }
}
