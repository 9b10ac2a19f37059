import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { methodNotAllowed } from '#libs/accounts';
import { OAuthError } from '../oauth.error.js';

/**
 * For endpoints that accept only POST and answer with errors of RFC 6749 §5.2: any other method gets
 * OAuthError 405, except for OPTIONS (preflight). It runs after the visitor limit, which counts these
 * requests as well.
 */
@Injectable()
export class PostOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (method === 'POST' || method === 'OPTIONS') return true;
    const { status, message, headers } = methodNotAllowed(['POST', 'OPTIONS']);
    throw new OAuthError(status, 'invalid_request', message, headers);
  }
}
