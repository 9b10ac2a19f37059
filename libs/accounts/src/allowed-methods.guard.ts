import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RefusalError } from './refusal.error.js';

/** The one method a route answers to. */
export const AllowedMethod = Reflector.createDecorator<'GET' | 'POST'>();

@Injectable()
export class AllowedMethodGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext) {
    const allowed = this.reflector.get(AllowedMethod, context.getHandler());
    if (context.switchToHttp().getRequest<Request>().method === allowed) return true;
    throw new RefusalError(405, `this route takes ${allowed} only`, { Allow: allowed });
  }
}
