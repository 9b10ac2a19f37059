import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SecurityEventsService } from '../events/security-events.service.js';
import { isForeignOrigin } from '../request-origin/foreign-origin.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { RefusalError } from '../refusal.error.js';

/** Refuses a request with a foreign `Origin` and emits a security event; a request without `Origin` is accepted. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  constructor(private readonly events: SecurityEventsService) {}

  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = ownOriginOf(request);
    if (!isForeignOrigin(request.headers.origin, origin)) return true;
    this.events.emit({ type: 'foreign-origin-refused', userId: null, origin });
    throw new RefusalError(403, 'cross-origin request');
  }
}
