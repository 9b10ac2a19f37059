import type { Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import { type HeldBytes, RequestMember } from '#libs/platform';
import { clientAddressOf } from '../rate-limit/client-address.adapter.js';
import { visitorKey } from '../rate-limit/visitor-key.js';

interface Holder {
  readonly bodies: HeldBytes;
  /** Called when a body is read. Shared by all requests: a closure per request would keep its request in memory. */
  readonly nameOf: (request: Request) => string;
}

const holders = new RequestMember<Holder>();

/**
 * Runs before anything reads a body: the bytes of a body that is being read are counted in `bodies` for its
 * visitor. Without this middleware bodies are not counted.
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

/** Counts the body for the authenticated account of the request instead of its visitor. */
export function holdBodyFor(request: Request, userId: string): void {
  const holder = holders.get(request);
  if (holder) holders.set(request, { ...holder, nameOf: () => `account ${userId}` });
}

/** As HeldBytes.open; undefined for a body that is not counted. */
export function openHold(body: Readable, giveUp: () => void) {
  const holder = holders.get(body);
  return holder?.bodies.open(holder.nameOf(body as Request), giveUp);
}
