import type { Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import type { HeldBytes } from '#libs/load';
import { clientAddressOf } from '../rate-limit/client-address.adapter.js';
import { visitorKey } from '../rate-limit/visitor-key.js';

interface Holder {
  readonly bodies: HeldBytes;
  /** Found out when there is a body to be held for it. */
  readonly name: () => string;
}

const holders = new WeakMap<Readable, Holder>();

/**
 * Goes in front of whatever reads bodies: what has come of one counts in `bodies` for its visitor.
 * Without it bodies are read uncounted.
 */
export const holdBodies =
  (bodies: HeldBytes, clientAddressHeader?: string) =>
  (request: Request, _response: Response, next: NextFunction) => {
    const name = () => `visitor ${visitorKey(clientAddressOf(request, clientAddressHeader))}`;
    holders.set(request, { bodies, name });
    next();
  };

/** From now on the body counts for the account that the request proved to come from. */
export function holdBodyFor(request: Request, userId: string): void {
  const holder = holders.get(request);
  if (holder) holders.set(request, { ...holder, name: () => `account ${userId}` });
}

/** Undefined for a body that is not counted. As HeldBytes.open. */
export function openHold(body: Readable, giveUp: () => void) {
  const holder = holders.get(body);
  return holder?.bodies.open(holder.name(), giveUp);
}
