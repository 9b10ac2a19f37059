import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isForeignOrigin } from '../request-origin/foreign-origin.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { RefusalError } from '../refusal.error.js';

/** Refuses a request whose `Origin` is present and not our own; an absent one is accepted. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Request>();
    if (!isForeignOrigin(request.headers.origin, ownOriginOf(request).origin)) return true;
    throw new RefusalError(403, 'cross-origin request');
  }
}
