import type { Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { type HeldBytes, RequestMember } from '#libs/platform';
import { clientAddressOf } from '../rate-limit/client-address.adapter.js';
import { visitorKey } from '../rate-limit/visitor-key.js';

interface Holder {
  readonly bodies: HeldBytes;
  /** Asked when there is a body to be held. Not a closure for each request, which would keep it. */
  readonly nameOf: (request: Request) => string;
}

const holders = new RequestMember<Holder>();

/**
 * Goes in front of whatever reads bodies: what has come of one counts in `bodies` for its visitor.
 * Without it bodies are read uncounted.
 */
export function holdBodies(bodies: HeldBytes, clientAddressHeader?: string) {
  const nameOf = (request: Request) =>
    `visitor ${visitorKey(clientAddressOf(request, clientAddressHeader))}`;
  const holder = { bodies, nameOf };
  return (request: Request, _response: Response, next: NextFunction) => {
    holders.set(request, holder);
    next();
  };
}

/** From now on the body counts for the account that the request proved to come from. */
export function holdBodyFor(request: Request, userId: string): void {
  const holder = holders.get(request);
  if (holder) holders.set(request, { ...holder, nameOf: () => `account ${userId}` });
}

/** Undefined for a body that is not counted. As HeldBytes.open. */
export function openHold(body: Readable, giveUp: () => void) {
  const holder = holders.get(body);
  return holder?.bodies.open(holder.nameOf(body as Request), giveUp);
}
