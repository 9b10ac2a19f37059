import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { networkOf, RefusalError } from '#libs/accounts';
import { type LoadShedder, refusedLater, type RequestWork, underWork } from '#libs/platform';
import { UPGRADED } from '#libs/tab-hub';

const SAID_EVERY_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;
/** For how long what a client that left has begun counts, unless it ends before. */
const LEFT_MS = 1_000;

/**
 * The last step before any real work: a request counts as work until its answer is complete or its connection was
 * upgraded for a tab. Under overload the request is refused instead.
 */
export function admission(load: LoadShedder, clientAddressHeader?: string) {
  const logger = new Logger('Load');
  let quietUntil = 0;
  return (request: Request, response: Response, next: NextFunction) => {
    const work = load.admit(networkOf(request, clientAddressHeader));
    if (work) {
      endWithAnswer(request, response, work);
      return underWork(work, next);
    }
    if (performance.now() >= quietUntil) {
      quietUntil = performance.now() + SAID_EVERY_MS;
      const { requests, lag } = load.refused;
      logger.warn(`too much to do: ${requests + lag} requests turned away since the start`);
    }
    return turnAway(response, next);
  };
}

/**
 * Refuses a request after a delay: a client that retries as soon as it is refused would otherwise keep the process
 * busy. The next request of its connection waits for that (`oneByOne`).
 */
function turnAway(response: Response, next: NextFunction) {
  const refuse = () => {
    if (response.destroyed) return;
    const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    next(new RefusalError(503, 'the service is overloaded; try again in a second', headers));
  };
  void refusedLater().then(refuse);
}

/** Emitted by a response when its answer is complete, even if its client has not read it yet. */
const ENDED = Symbol('ended');

/**
 * Ends the work when the answer is complete, or its connection was upgraded for a tab. The client decides how long it
 * takes to read a complete answer. When the client is gone the handler goes on, so that leaving early does not let a
 * client have more done at once: it counts until it answers, or for a second. DrainingAdapter notices the end of the
 * connection, too.
 */
function endWithAnswer({ socket }: Request, response: Response, work: RequestWork): void {
  if (socket.destroyed) return work.end();
  const end = () => work.end();
  const endSoon = () => work.isOver || setTimeout(end, LEFT_MS).unref();
  // A shared function: a closure would keep its response alive until a full garbage collection.
  response.end = endAndTell as Response['end'];
  response.once(ENDED, end).once('close', endSoon).once(UPGRADED, end);
}

function endAndTell(this: ServerResponse, ...args: unknown[]): ServerResponse {
  this.emit(ENDED);
  const { end } = Object.getPrototypeOf(this) as ServerResponse;
  return Reflect.apply(end, this, args);
}
