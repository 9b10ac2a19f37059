import {
  applyDecorators,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { SecurityEventsService } from '../security-event/security-event.service.js';
import { isForeignOrigin } from '../request-origin/own-origin.js';
import { ownOriginOf } from '../request-origin/own-origin.middleware.js';
import { RefusalError } from '../http/refusal.error.js';
import { SignedInGuard } from './session.guard.js';
import { AllowRoutedMethods } from '../http/allow-routed-methods.decorator.js';
import { ACCOUNT_ENDPOINTS, ErrorFormat, OWN_ACCOUNT } from '../http/error-format.decorator.js';
import { VisitorGuard } from '../visitor-limit/visitor.guard.js';

/** Refuses a request with a foreign `Origin` and emits a security event; a request without `Origin` is accepted. */
@Injectable()
class SameOriginGuard implements CanActivate {
  constructor(private readonly events: SecurityEventsService) {}

  canActivate(context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = ownOriginOf(request);
    if (!isForeignOrigin(request.headers.origin, origin)) return true;
    this.events.emit({ type: 'foreign-origin-refused', userId: null, origin });
    throw new RefusalError(
      403,
      'cross-origin request; a proxy that sets Referrer-Policy: no-referrer can cause it',
    );
  }
}

/** A controller that answers under `/svc/auth/` (contract, Account endpoints). */
export const AuthController = () =>
  applyDecorators(
    Controller('svc/auth'),
    AllowRoutedMethods({ place: 'this route' }),
    ErrorFormat(ACCOUNT_ENDPOINTS),
  );

/** A controller for the account of the signed-in user (contract, One's own account); 401 comes before all else. */
export const OwnAccountController = (path: string) =>
  applyDecorators(
    Controller(path),
    UseGuards(SignedInGuard),
    AllowRoutedMethods(),
    ErrorFormat(OWN_ACCOUNT),
  );

/** A route that changes something and answers 200 by default: method (405), `Origin` (403), rate limit (429), body. */
export const AuthPost = (path: string) =>
  applyDecorators(Post(path), HttpCode(200), UseGuards(SameOriginGuard, VisitorGuard));
