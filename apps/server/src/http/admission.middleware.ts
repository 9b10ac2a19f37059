import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import {
  type DynamicModule,
  Inject,
  Logger,
  type MiddlewareConsumer,
  Module,
  type NestModule,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { networkOf, RefusalError } from '#libs/accounts';
import { configureCors, OAUTH_OPTIONS, type OAuthOptions } from '#libs/oauth';
import { type LoadShedder, type LoopLag, underWork } from '#libs/platform';
import { onAnswered } from './on-answered.js';

/** Measures the event-loop lag only while the server listens: work during the start delays no request. */
export function watchLoop(server: Server, lag: LoopLag): void {
  server.once('listening', () => lag.start());
  server.once('close', () => lag.stop());
}

const SAID_EVERY_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;
const REFUSAL_MS = 250;

const refused = new WeakSet<Request>();
const beingRefused = new WeakSet<Socket>();

/**
 * The first middleware before any real work: a request counts as work until its answer is complete or its connection
 * was upgraded for a tab. Under overload it passes the request on marked as refused, so that the refusal gets the
 * headers of its area.
 */
export function admission(load: LoadShedder, clientAddressHeader?: string) {
  const logger = new Logger('Load');
  let quietUntil = 0;
  return (request: Request, response: Response, next: NextFunction) => {
    const work = load.admit(networkOf(request, clientAddressHeader));
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

/**
 * Ends a refused request before a route handles it, after a delay: a client that retries as soon as it is refused
 * would otherwise keep the process busy. The connection is cut when it sends another request during that delay.
 */
function turnAway(request: Request, response: Response, next: NextFunction) {
  if (!refused.has(request)) return next();
  const { socket } = request;
  if (beingRefused.has(socket)) return void socket.destroy();
  beingRefused.add(socket);
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  // Not thrown: here the path of the request is that of the middleware, and the filter chooses the area by the path.
  const refuse = () => {
    beingRefused.delete(socket);
    if (response.destroyed) return;
    next(new RefusalError(503, 'the service is overloaded; try again in a second', headers));
  };
  setTimeout(refuse, REFUSAL_MS);
}

/**
 * Lets pages of any origin read the answers of the authorization server, refusals included, and turns away requests
 * that the admission middleware refused. Its place among the imports matters: after the modules of the service and
 * before those of extensions, whose middleware a refused request does not reach.
 */
@Module({})
export class AdmissionModule implements NestModule {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  static with(oauth: DynamicModule): DynamicModule {
    return { module: AdmissionModule, imports: [oauth] };
  }

  configure(consumer: MiddlewareConsumer) {
    configureCors(consumer, this.options.registration);
    consumer.apply(turnAway).forRoutes('{*path}');
  }
}
