import { Injectable, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModuleRef, Reflector } from '@nestjs/core';
import { RefusalError } from '#libs/accounts';
import type { AdminRole } from '../config/admin-tokens.js';
import { expectDescribed, inputPipe } from '../admin/operation/input.js';
import {
  DetailsOf,
  ForRole,
  inputOf,
  type OperationDetails,
} from '../admin/operation/operation.js';
import { OPERATIONS } from '../admin/operations.js';
import { words } from './parts.js';
import { type ConsoleSession, mayAs } from './session.service.js';

/** An operation of administration as its handler declares it. */
export interface KnownOperation {
  readonly name: string;
  readonly controller: Type;
  readonly details: OperationDetails;
  readonly role: AdminRole;
  /** What its first parameter names; undefined where it takes none. */
  readonly takes: 'id' | 'host' | undefined;
  readonly input: Type<object> | undefined;
}

/** Over HTTP the role is the API's; a page shows an export to those who may do everything. */
const ROLES: Readonly<Record<string, AdminRole>> = { exportUser: 'admin' };

function operationsOf(controller: Type): KnownOperation[] {
  const reflector = new Reflector();
  const prototype: Record<string, () => unknown> = controller.prototype;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] ?? controller;
    const details = reflector.get(DetailsOf, handler);
    const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
    if (!details || method === undefined) return [];
    const role =
      ROLES[name] ??
      reflector.getAllAndOverride(ForRole, [handler, controller]) ??
      (method === RequestMethod.GET ? 'read' : 'admin');
    const takes = (['id', 'host'] as const).find((one) => details.command?.includes(`<${one}>`));
    return [{ name, controller, details, role, takes, input: inputOf(prototype, name) }];
  });
}

/** Runs the handlers of `/admin/` for a signed-in operator. */
@Injectable()
export class ConsoleOperations {
  private readonly known = new Map(
    OPERATIONS.flatMap(operationsOf).map((operation) => [operation.name, operation]),
  );

  constructor(private readonly modules: ModuleRef) {}

  /** @throws RefusalError 404 */
  get(name: string): KnownOperation {
    const found = this.known.get(name);
    if (!found) throw new RefusalError(404, 'there is no such operation');
    return found;
  }

  may({ role }: ConsoleSession, name: string): boolean {
    return mayAs(role, this.get(name).role);
  }

  /** @throws RefusalError 403 */
  expectMay(session: ConsoleSession, name: string) {
    if (this.may(session, name)) return;
    const { role } = this.get(name);
    throw new RefusalError(403, `this takes a token whose role is ${role}, not ${session.role}`);
  }

  /** @throws RefusalError 400 for what the operation does not take, 403, and what its handler throws */
  async run<Answer>(
    session: ConsoleSession,
    name: string,
    id?: string,
    members: object = {},
  ): Promise<Answer> {
    const { running, given } = await this.prepare(session, name, id, members);
    return (await running[name]?.(...given, session.name)) as Answer;
  }

  /** What to confirm before it; undefined where it does not say. */
  async questionOf(
    session: ConsoleSession,
    name: string,
    id: string | undefined,
    members: object,
  ): Promise<string | undefined> {
    const { asks } = this.get(name).details;
    if (!asks) return undefined;
    const { running, given } = await this.prepare(session, name, id, members);
    return asks(running, ...given);
  }

  private async prepare(
    session: ConsoleSession,
    name: string,
    id: string | undefined,
    members: object,
  ) {
    const { controller, input, takes } = this.get(name);
    this.expectMay(session, name);
    // No id contains NUL, which Postgres does not accept.
    if (takes && (!id || id.includes('\0'))) throw new RefusalError(404, 'not found');
    const given: unknown[] = takes ? [id] : [];
    expectDescribed(members, input);
    if (input) given.push(await PIPE.transform(members, { type: 'body', metatype: input }));
    const running: Record<string, (...given: unknown[]) => unknown> = this.modules.get(controller, {
      strict: false,
    });
    return { running, given };
  }
}

const PIPE = inputPipe(
  (message, { property }) => new RefusalError(400, message.replace(property, words(property))),
);
