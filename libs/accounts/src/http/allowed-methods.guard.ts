import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RefusalError } from './refusal.error.js';

type Methods = readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS')[];

/**
 * The 405 of an address, for routes that check something else before the method. Its `Allow` header lists all
 * methods, its message leaves out HEAD and OPTIONS.
 */
export function methodNotAllowed(methods: Methods, place = 'this address'): RefusalError {
  const named = methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
  const message = `${place} takes ${named.join(' and ')} only`;
  return new RefusalError(405, message, { Allow: methods.join(', ') });
}

const Allowed = Reflector.createDecorator<{ methods: Methods; place: string | undefined }>();

@Injectable()
class AllowedMethodsGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext) {
    const { methods, place } = this.reflector.get(Allowed, context.getHandler());
    const { method } = context.switchToHttp().getRequest<Request>();
    if (method !== 'OPTIONS' && methods.some((allowed) => allowed === method)) return true;
    throw methodNotAllowed(methods, place);
  }
}

/**
 * For a route made with `@All()`: any other method is RefusalError 405, after the guards of the class. Guards of
 * the route that have to run later stand above it, or after it in `applyDecorators`. Where OPTIONS is allowed, a
 * middleware answers it before all guards.
 */
export const AllowedMethods = (methods: Methods, place?: string) =>
  applyDecorators(Allowed({ methods, place }), UseGuards(AllowedMethodsGuard));
