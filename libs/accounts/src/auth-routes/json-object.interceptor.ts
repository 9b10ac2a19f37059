import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { readJsonObject } from './json-object.js';

/** Runs after the guards, so the body of a refused request is never read. */
@Injectable()
export class JsonObjectInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Request>();
    request.body = await readJsonObject(request, request.headers['content-length']);
    return next.handle();
  }
}
