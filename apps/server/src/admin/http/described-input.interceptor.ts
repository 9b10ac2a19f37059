import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { readJsonObject, RefusalError } from '#libs/accounts';
import { isNestedDeeper } from '#libs/platform';
import { AdminDocument } from './admin-document.js';

/** No operation takes more; class-transformer recurses per level and would overflow the stack. */
const MAX_LEVELS = 32;

/**
 * Reads the body of operations that take one, after the guard, and refuses input that the document does not describe.
 * `forbidNonWhitelisted` alone is not enough: it does not see the query where a handler takes none, and
 * class-transformer drops members called `__proto__` and `constructor` before the check.
 */
@Injectable()
export class DescribedInputInterceptor implements NestInterceptor {
  constructor(private readonly document: AdminDocument) {}

  async intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<Request>();
    // No id contains NUL, which Postgres does not accept.
    if (Object.values(request.params).some((value) => value.includes('\0')))
      throw new RefusalError(404, 'not found');
    const { path } = request.route as { readonly path: string };
    const input = this.document.inputOf(path, request.method);
    if (!input) return next.handle();
    expectNames(request.query, input.query);
    if (input.body) {
      request.body = await readJsonObject(request);
      if (isNestedDeeper(request.body, MAX_LEVELS))
        throw new RefusalError(400, 'body is nested too deeply');
      expectNames(request.body as object, input.body);
    }
    return next.handle();
  }
}

function expectNames(given: object, names: readonly string[]) {
  if (Object.keys(given).every((name) => names.includes(name))) return;
  throw new RefusalError(400, `this takes ${names.join(', ') || 'nothing'}, and nothing else`);
}
