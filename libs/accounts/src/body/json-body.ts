import {
  createParamDecorator,
  type ExecutionContext,
  type PipeTransform,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { Request } from 'express';
import type { IncomingMessage } from 'node:http';
import { isJsonObject, isNestedDeeper, type JsonObject, parseJson } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import { readBytes } from './body-bytes.js';

const MAX_BODY_BYTES = 16_384;

/** Deeper bodies are refused: class-transformer recurses per level and would overflow the stack. */
const MAX_LEVELS = 100;

/** Reads a body as a JSON object, whatever its `Content-Type`; empty is `{}`. Throws RefusalError as readBytes. */
export async function readJsonObject(request: IncomingMessage): Promise<JsonObject> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, request.headers['content-length']);
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  if (value === undefined) throw new RefusalError(400, 'body must be JSON');
  if (!isJsonObject(value)) throw new RefusalError(400, 'body must be a JSON object');
  if (isNestedDeeper(value, MAX_LEVELS)) throw new RefusalError(400, 'body is nested too deeply');
  return value;
}

const JsonObjectBody = createParamDecorator<never>(
  (_data, context: ExecutionContext): Promise<JsonObject> =>
    readJsonObject(context.switchToHttp().getRequest<Request>()),
);

/** Members without a rule in the class are removed; a class without any rule refuses every body. */
const RULES = {
  transform: true,
  whitelist: true,
  forbidUnknownValues: true,
  validateCustomDecorators: true,
} as const;

const builtIn = new ValidationPipe(RULES);

const SENTENCES = {
  ...RULES,
  stopAtFirstError: true,
  exceptionFactory: ([fault]: ValidationError[]) => {
    const { constraints = {} } = fault ?? {};
    if (constraints['whitelistValidation'] !== undefined) {
      return new RefusalError(400, 'body has a member that does not exist; remove it');
    }
    return new RefusalError(400, Object.values(constraints)[0] ?? 'body is not accepted');
  },
} satisfies ValidationPipeOptions;

/** For the service's own DTOs: throws RefusalError 400 with the sentence of the first rule that a body breaks. */
export const sentencePipe = new ValidationPipe(SENTENCES);

/** As {@link sentencePipe}; members without a rule in the class are refused. */
export const strictPipe = new ValidationPipe({ ...SENTENCES, forbidNonWhitelisted: true });

/** An instance of the class, for bodies that are checked after something else. Throws as {@link sentencePipe}. */
export const checked = async <Body>(type: Type<Body>, fields: JsonObject): Promise<Body> =>
  (await sentencePipe.transform(fields, { type: 'custom', metatype: type })) as Body;

type Pipe = PipeTransform | Type<PipeTransform>;

/** A class does not count: Nest would create it without options. */
const checksNothing = (pipe: Pipe) =>
  pipe instanceof ValidationPipe
    ? !pipe['validateCustomDecorators']
    : typeof pipe === 'function' && pipe.prototype instanceof ValidationPipe;

/**
 * The body of a request as a JSON object, read after all guards; use it once per method. Where the type of the
 * parameter is a class, the body is validated by the class-validator rules of that class and becomes an instance of
 * it, without the members that have no rule; members of a JsonObject are not checked. Pipes may follow; a
 * ValidationPipe instance among them, with its own options, replaces the built-in one.
 *
 * Throws as readJsonObject, and BadRequestException with the rules that the body breaks. Throws TypeError for a
 * ValidationPipe that would not check values of custom decorators.
 */
export const JsonBody = (...pipes: Pipe[]): ParameterDecorator => {
  if (pipes.some(checksNothing)) {
    throw new TypeError(
      '@JsonBody() takes a ValidationPipe as an instance, new …(), with validateCustomDecorators: true',
    );
  }
  const isChecked = pipes.some((pipe) => pipe instanceof ValidationPipe);
  return JsonObjectBody(...(isChecked ? pipes : [builtIn, ...pipes]));
};
