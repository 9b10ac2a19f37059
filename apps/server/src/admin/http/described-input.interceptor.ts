import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { readJsonObject, RefusalError } from '#libs/accounts';
import { isNestedDeeper } from '#libs/platform';
import { optionsOf } from '../operation/input.js';
import { DetailsOf, inputOf } from '../operation/operation.js';

/** No operation takes more; class-transformer recurses per level and would overflow the stack. */
export const MAX_LEVELS = 32;

/**
 * Reads the body of operations that change something, after the guard, and refuses input that is no member of the handler's
 * DTO. `forbidNonWhitelisted` alone is not enough: it does not see the query where a handler takes none, and
 * class-transformer drops members called `__proto__` and `constructor` before the check.
 */
@Injectable()
export class DescribedInputInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Request>();
    // No id contains NUL, which Postgres does not accept.
    if (Object.values(request.params).some((value) => value.includes('\0')))
      throw new RefusalError(404, 'not found');
    const handler = context.getHandler();
    if (!this.reflector.get(DetailsOf, handler)) return next.handle();
    const input = inputOf(context.getClass().prototype, handler.name);
    const isRead = ['GET', 'HEAD'].includes(request.method);
    expectMembers(request.query, isRead ? input : undefined);
    if (!isRead) {
      request.body = await readJsonObject(request);
      if (isNestedDeeper(request.body, MAX_LEVELS))
        throw new RefusalError(400, 'body is nested too deeply');
      expectMembers(request.body as object, input);
    }
    return next.handle();
  }
}

function expectMembers(given: object, input: Type | undefined) {
  const names = [...new Set(optionsOf(input).map(({ member }) => member))];
  if (Object.keys(given).every((name) => names.includes(name))) return;
  throw new RefusalError(400, `this takes ${names.join(', ') || 'nothing'}, and nothing else`);
}
