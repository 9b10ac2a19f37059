import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { readJsonObject, RefusalError } from '#libs/accounts';
import { expectDescribed } from '../operation/input.js';
import { DetailsOf, inputOf } from '../operation/operation.js';

/**
 * Reads the body of operations that change something, after the guard, and refuses input that is no member of the handler's
 * DTO.
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
    expectDescribed(request.query, isRead ? input : undefined);
    if (!isRead) {
      request.body = await readJsonObject(request);
      expectDescribed(request.body as object, input);
    }
    return next.handle();
  }
}
