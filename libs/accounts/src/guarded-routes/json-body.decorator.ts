import {
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import type { Request } from 'express';
import { type JsonObject, isNestedDeeper } from '#libs/platform';
import { readJsonObject } from '../auth-routes/json-object.js';
import { RefusalError } from '../refusal.error.js';
import { checkAgain } from './body-checks.js';

type Pipe = PipeTransform | Type<PipeTransform>;

/** class-transformer calls itself for each level, and would run out of stack. */
const MAX_LEVELS = 100;

const JsonObjectBody = createParamDecorator<never>(
  async (_data, context: ExecutionContext): Promise<JsonObject> => {
    const request = context.switchToHttp().getRequest<Request>();
    const body = await readJsonObject(request, request.headers['content-length']);
    await checkAgain(request);
    return body;
  },
);

/** Members without a rule in the class are left out; a class without any rule is refused with every body. */
const builtIn = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
});

const isValidation = (pipe: Pipe): pipe is ValidationPipe => pipe instanceof ValidationPipe;

/** Its options would be ignored: what Nest makes of the class gets the body as a value of a custom decorator. */
const isValidationClass = (pipe: Pipe) =>
  typeof pipe === 'function' && pipe.prototype instanceof ValidationPipe;

/** As ValidationPipe treats the value of `@Body()`: what comes from `createParamDecorator` it does not check. */
const asBody = (pipe: ValidationPipe): PipeTransform => ({
  transform(value, metadata) {
    if (metadata.metatype !== Object && isNestedDeeper(value, MAX_LEVELS)) {
      throw new RefusalError(400, 'body is nested too deeply');
    }
    return pipe.transform(value, { ...metadata, type: 'body' });
  },
});

/**
 * The body of a request as a JSON object, read once all guards have let the request through; once in a method.
 * Where the type of the parameter is a class, the body is checked by the rules of class-validator there, and is an
 * instance of it without any member that has no rule; members of a JsonObject are not checked. Pipes may follow;
 * a ValidationPipe among them, with options of its own, checks in place of the built-in one.
 *
 * Throws as readJsonObject, BadRequestException with the rules that the body breaks, and as the guards where
 * what they looked at has ended meanwhile.
 */
export const JsonBody = (...pipes: Pipe[]): ParameterDecorator => {
  if (pipes.some(isValidationClass)) {
    throw new TypeError(
      '@JsonBody() takes a ValidationPipe as an instance, new …(), not as a class',
    );
  }
  const checking = pipes.some(isValidation) ? pipes : [builtIn, ...pipes];
  return JsonObjectBody(...checking.map((pipe) => (isValidation(pipe) ? asBody(pipe) : pipe)));
};
