import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RefusalError } from '#libs/accounts';
import { type Load, underWork } from '#libs/load';
import { onAnswered } from './on-answered.js';

const SAID_EVERY_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;

const refused = new WeakSet<Request>();

/**
 * Goes in front of everything that is any work: a request counts until its answer is complete, or its
 * connection became a tab's. When there is too much to do already it goes on as a refused one, so that
 * its refusal gets the headers of its area.
 */
export function admission(load: Load) {
  const logger = new Logger('Load');
  let quietUntil = 0;
  return (request: Request, response: Response, next: NextFunction) => {
    const work = load.admit();
    if (work) {
      onAnswered(request, response, () => work.end());
      return underWork(work, next);
    }
    refused.add(request);
    if (performance.now() >= quietUntil) {
      quietUntil = performance.now() + SAID_EVERY_MS;
      const { requests, lag } = load.refused;
      logger.warn(`too much to do: ${requests + lag} requests turned away since the start`);
    }
    return next();
  };
}

/** The end of a refused request, before a route does anything for it. */
export function turnAway(request: Request, _response: Response, next: NextFunction) {
  if (!refused.has(request)) return next();
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  // Not thrown: here the path of the request is that of the middleware, and the area goes by it.
  next(new RefusalError(503, 'the service has too much to do; try again in a second', headers));
}
