import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { checkAroundBody, headerValues, RefusalError, SecurityEventsService } from '#libs/accounts';
import type { AdminRole, AdminToken } from '../../config/admin-tokens.js';
import { expectRole, ForRole } from '../operation/operation.js';
import { AdminTokensService } from './admin-tokens.service.js';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Requires a bearer token (RFC 6750 §2.1) whose role allows the operation, and again after a body that `readBytes`
 * waited for, since the token or its role may have been taken away in between.
 */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  constructor(
    private readonly tokens: AdminTokensService,
    private readonly events: SecurityEventsService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const holders = [context.getHandler(), context.getClass()];
    const needed = this.reflector.getAllAndOverride(ForRole, holders) ?? roleFor(request.method);
    const { locals } = http.getResponse<Response>();
    await checkAroundBody(request, async () => {
      const token = this.get(request);
      locals['adminActor'] = token.name;
      expectRole(token.role, needed);
    });
    return true;
  }

  private get(request: Request): AdminToken {
    const sent = bearerOf(headerValues(request, 'authorization'));
    const token = sent === undefined ? undefined : this.tokens.find(sent);
    if (token) return token;
    this.events.emit({ type: 'admin-token-refused', userId: null, origin: '' });
    const headers = { 'WWW-Authenticate': 'Bearer' };
    throw new RefusalError(401, 'send ADMIN_TOKEN as a bearer token', headers);
  }
}

const bearerOf = ([value = '', ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? BEARER.exec(value)?.[1] : undefined;

const roleFor = (method: string): AdminRole =>
  method === 'GET' || method === 'HEAD' ? 'read' : 'admin';
