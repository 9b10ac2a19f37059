import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  type Type,
} from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { RefusalError } from '#libs/accounts';
import { ADMIN_ROLES, type AdminRole } from '../../config/admin-tokens.js';

/** The minimum role for an operation, or for all of a controller; by default `read` for GET, `admin` for any other method. */
export const ForRole = Reflector.createDecorator<AdminRole>();

export const mayAs = (role: AdminRole, needed: AdminRole) =>
  ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(needed);

/** @throws RefusalError 403 */
export function expectRole(role: AdminRole, needed: AdminRole) {
  if (mayAs(role, needed)) return;
  throw new RefusalError(403, `this takes a token whose role is ${needed}, not ${role}`);
}

export const Actor = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  actorOf(context.switchToHttp().getResponse<Response>()),
);

export const actorOf = ({ locals }: Response): string | undefined =>
  (locals as { adminActor?: string }).adminActor;

class Refusal {
  @ApiProperty() error!: string;
}

const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'the token is missing or unknown',
  403: 'the role of the token does not go so far',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

interface OperationOptions<Answer, Controller, Given extends readonly unknown[]> {
  readonly status?: 200 | 201;
  readonly refusals?: Readonly<Record<number, string>>;
  /**
   * The command, such as `users disable <id>`. Among several operations of one command an option at the end chooses
   * this one; in `clients block --redirect-host <host>` its value takes the place of the id.
   */
  readonly command?: string;
  readonly asks?: (controller: Controller, ...given: Given) => string | Promise<string>;
  /** The answer as a sentence; without it, the answer is printed as a table. */
  readonly says?: (answer: Answer) => string;
  /** The columns of an answer whose rows are printed as they arrive, with their widths in characters. */
  readonly widths?: Readonly<Record<string, number>>;
}

/** What the command line knows of an operation. */
export interface OperationDetails extends Omit<
  OperationOptions<unknown, unknown, readonly unknown[]>,
  'status' | 'refusals'
> {
  readonly summary: string;
  readonly answer: Type;
}

export const DetailsOf = Reflector.createDecorator<OperationDetails>();

/**
 * Declares an operation of administration, for HTTP and the command line alike. The handler's parameters are the id of
 * the path, a DTO and the actor, as far as it has them; its name is the operation's id in the OpenAPI document.
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
    DetailsOf({ summary, answer, ...command } as OperationDetails),
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

export type DeclaredOperation = ReturnType<typeof operationsOf>[number];

/** The operations of a controller, each with the name of its handler. */
export function operationsOf(controller: Type) {
  const prototype: Record<string, () => unknown> = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const details = handler && new Reflector().get(DetailsOf, handler);
    return details ? [{ name, controller, handler, details, input: inputOf(prototype, name) }] : [];
  });
}
