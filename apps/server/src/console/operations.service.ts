import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef, Reflector } from '@nestjs/core';
import { RefusalError } from '#libs/accounts';
import type { AdminRole } from '../config/admin-tokens.js';
import { expectDescribed, inputPipe } from '../admin/operation/input.js';
import {
  type DeclaredOperation,
  expectRole,
  ForRole,
  mayAs,
  operationsOf,
} from '../admin/operation/operation.js';
import { OPERATIONS } from '../admin/operations.js';
import { words } from './parts.js';
import type { ConsoleSession } from './session.service.js';

interface KnownOperation extends DeclaredOperation {
  readonly role: AdminRole;
  /** What its first parameter names; undefined where it takes none. */
  readonly takes: 'id' | 'host' | undefined;
}

/** Of those that `/admin/` has a route for. */
function knownOf(operation: DeclaredOperation): KnownOperation[] {
  const { controller, handler, details } = operation;
  const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
  if (method === undefined) return [];
  const role =
    new Reflector().getAllAndOverride(ForRole, [handler, controller]) ??
    (method === RequestMethod.GET ? 'read' : 'admin');
  const takes = (['id', 'host'] as const).find((one) => details.command?.includes(`<${one}>`));
  return [{ ...operation, role, takes }];
}

/** Runs the handlers of `/admin/` for a signed-in operator. */
@Injectable()
export class ConsoleOperations {
  private readonly known = new Map(
    OPERATIONS.flatMap(operationsOf)
      .flatMap(knownOf)
      .map((operation) => [operation.name, operation]),
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
    expectRole(session.role, this.get(name).role);
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
