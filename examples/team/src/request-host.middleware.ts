import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

const hosts = new AsyncLocalStorage<string>();

/** The host that the request in progress came to, one of `PUBLIC_ORIGINS`; undefined outside of its paths. */
export const requestHost = () => hosts.getStore();

/** Keeps the host for policies, which do not see the request. */
@Injectable()
export class RequestHostMiddleware implements NestMiddleware {
  use(request: Request, _response: Response, next: NextFunction) {
    hosts.run(request.hostname, next);
  }
}
