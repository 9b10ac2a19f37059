import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OAuthError } from '../oauth.error.js';

/**
 * For endpoints that take POST: a preflight is answered here, any other method is OAuthError 405.
 * It stands behind the visitor limit, which counts these requests as well.
 */
@Injectable()
export class PostOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (method === 'POST' || method === 'OPTIONS') return true;
    const headers = { Allow: 'POST, OPTIONS' };
    throw new OAuthError(405, 'invalid_request', 'this address takes POST only', headers);
  }
}
