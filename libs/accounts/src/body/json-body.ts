import { isJsonObject, isNestedDeeper, type JsonObject, parseJson } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import { readBytes } from './body-bytes.js';
import {
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 16_384;

/**
 * Reads a request body as a JSON object, whatever its `Content-Type` says; an empty body counts as
 * `{}`. Throws as readBytes, 413 beyond {@link MAX_BODY_BYTES}, and RefusalError 400 unless it is a JSON object.
 */
export async function readJsonObject(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, request.headers['content-length']);
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  if (value === undefined) throw new RefusalError(400, 'body must be JSON');
  if (!isJsonObject(value)) throw new RefusalError(400, 'body must be a JSON object');
  return value;
}

type Pipe = PipeTransform | Type<PipeTransform>;

/** Deeper bodies are refused: class-transformer recurses per level and would overflow the stack. */
const MAX_LEVELS = 100;

const JsonObjectBody = createParamDecorator<never>(
  (_data, context: ExecutionContext): Promise<JsonObject> =>
    readJsonObject(context.switchToHttp().getRequest<Request>()),
);

/** Members without a rule in the class are removed; a class without any rule refuses every body. */
const builtIn = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
});

const isValidation = (pipe: Pipe): pipe is ValidationPipe => pipe instanceof ValidationPipe;

/**
 * A ValidationPipe given as a class. Nest would create it, and the instance would skip the value of a custom
 * decorator.
 */
const isValidationClass = (pipe: Pipe) =>
  typeof pipe === 'function' && pipe.prototype instanceof ValidationPipe;

/** Passes the value on as that of `@Body()`: ValidationPipe does not check values of `createParamDecorator`. */
const asBody = (pipe: ValidationPipe): PipeTransform => ({
  transform(value, metadata) {
    if (metadata.metatype !== Object && isNestedDeeper(value, MAX_LEVELS)) {
      throw new RefusalError(400, 'body is nested too deeply');
    }
    return pipe.transform(value, { ...metadata, type: 'body' });
  },
});

/**
 * The body of a request as a JSON object, read after all guards; use it once per method. Where the type of the
 * parameter is a class, the body is validated by the class-validator rules of that class and becomes an instance of
 * it, without the members that have no rule; members of a JsonObject are not checked. Pipes may follow; a
 * ValidationPipe instance among them, with its own options, replaces the built-in one.
 *
 * Throws as readJsonObject, and BadRequestException with the rules that the body breaks.
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
