import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AdminRole } from '../../config/admin-tokens.js';

/** The minimum role for an operation, or for all of a controller; by default `read` for GET, `admin` for any other method. */
export const ForRole = Reflector.createDecorator<AdminRole>();

/** Who acts: over HTTP the name of the token that authenticated the request. */
export const Actor = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  actorOf(context.switchToHttp().getResponse<Response>()),
);

/** The token's name, from a response; undefined where the token was refused. */
export const actorOf = ({ locals }: Response): string | undefined =>
  (locals as { adminActor?: string }).adminActor;

/** The body of every refusal; a refused operation changed nothing. */
class Refusal {
  @ApiProperty() error!: string;
}

/** The refusals that every operation may answer. */
const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'the token is missing or unknown',
  403: 'the role of the token does not go so far',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

/** What the command line knows of an operation. */
interface CommandOptions<Answer, Controller, Given extends readonly unknown[]> {
  /**
   * The command that runs it, such as `users disable <id>`. Among several operations of one command, an option at the
   * end chooses this one: `users recover <id> --revoke`, or `clients block --redirect-host <host>`, whose value then
   * takes the place of the id. Its other options are those of the handler's DTO: see `CommandOption`.
   */
  readonly command?: string;
  /** The question to confirm where the change cannot be undone, from the arguments of the handler. */
  readonly asks?: (controller: Controller, ...given: Given) => string | Promise<string>;
  /** The answer as a sentence; without it, the answer is printed as a table. */
  readonly says?: (answer: Answer) => string;
  /** The columns of an answer whose rows are printed as they arrive, with their widths in characters. */
  readonly widths?: Readonly<Record<string, number>>;
}

interface Details<Answer, Controller, Given extends readonly unknown[]> extends CommandOptions<
  Answer,
  Controller,
  Given
> {
  readonly summary: string;
  readonly answer: Type<Answer>;
}

export type OperationDetails = Details<unknown, unknown, readonly unknown[]>;

/** Marks a handler as an operation, for the command line. */
export const DetailsOf = Reflector.createDecorator<OperationDetails>();

interface OperationOptions<
  Answer,
  Controller,
  Given extends readonly unknown[],
> extends CommandOptions<Answer, Controller, Given> {
  /** 200 unless the operation creates something. */
  readonly status?: 200 | 201;
  /** The operation's own refusals: the status and its condition. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/**
 * Declares an operation of administration: its handler serves HTTP and the command line alike. The handler's
 * parameters are the id of the path, a DTO and the actor, in this order, as far as the operation has them; its name is
 * the operation's id in the OpenAPI document.
 */
export function Operation<Answer, Controller, Given extends readonly unknown[]>(
  summary: string,
  answer: Type<Answer>,
  options: OperationOptions<Answer, Controller, Given> = {},
): <Handler extends (...given: never[]) => Answer | Promise<Answer | AsyncIterable<unknown>>>(
  prototype: object,
  name: string,
  method: TypedPropertyDescriptor<Handler>,
) => void {
  const { status = 200, refusals = {}, ...command } = options;
  return applyDecorators(
    DetailsOf({ summary, answer, ...command } as Details<Answer, Controller, Given> as never),
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, description: status === 201 ? 'Made' : 'Done', type: answer }),
    ...Object.entries({ ...REFUSALS, ...refusals }).map(([refusal, description]) =>
      ApiResponse({ status: Number(refusal), description, type: Refusal }),
    ),
  );
}

/**
 * The class of the DTO that a handler takes, beside texts and, on the command line, a function: by the types that
 * TypeScript emits, for which Nest has no reader.
 */
export function inputOf(prototype: object, handler: string): Type<object> | undefined {
  const types: Type<object>[] = Reflect.getMetadata('design:paramtypes', prototype, handler);
  return types.find((type) => ![String, Function].includes(type as never));
}
