import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { JsonObject } from '#libs/json';
import { readJsonObject } from '../auth-routes/json-object.js';
import { checkAgain } from './body-checks.js';

/**
 * The body of a request as a JSON object, none of its members checked, read once all guards have let the
 * request through; once in a method. Pipes may follow. As readJsonObject, and as the guards where what
 * they looked at has ended meanwhile.
 */
export const JsonBody = createParamDecorator<never>(
  async (_data, context: ExecutionContext): Promise<JsonObject> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = await readJsonObject(request, request.headers['content-length']);
    await checkAgain(request);
    return body;
  },
);
