import { Injectable } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type { McpCaller, ToolRun } from './call.js';

/** The options that every marked method has. */
interface Named {
  readonly name: string;
  readonly scope: string;
}

/** A marked method of a provider. `owner` names it in error messages: `AccountStatusTool.accountStatus`. */
export interface DiscoveredMethod<Options> {
  readonly owner: string;
  readonly options: Options;
  readonly call: (input: never, caller: McpCaller, run: ToolRun) => unknown;
}

type Methods = Record<string, (...args: readonly unknown[]) => unknown>;

/** Finds marked methods in all providers of the application, in any module. */
@Injectable()
export class MethodDiscoveryService {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** `kind` names the feature in errors. @throws Error that names a method whose provider is not a singleton */
  find<Options extends Named>(
    mark: DiscoverableDecorator<Options>,
    kind: string,
  ): DiscoveredMethod<Options>[] {
    return [...this.providers()].flatMap(([instance, wrapper]) => {
      const methods = instance as Methods;
      return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
        if (typeof methods[method] !== 'function') return [];
        const options = this.discovery.getMetadataByDecorator(mark, wrapper, method);
        if (!options) return [];
        const owner = `${instance.constructor.name}.${method}`;
        const call = (...args: readonly unknown[]) => methods[method]?.(...args);
        if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
          throw invalidMethod(kind, { owner, options }, 'needs a provider of default scope');
        }
        return [{ owner, options, call }];
      });
    });
  }

  /** Aliases share one instance, which counts once. */
  private providers(): Map<object, InstanceWrapper> {
    const wrappers = this.discovery.getProviders();
    return new Map(
      wrappers.flatMap((wrapper) => {
        const instance: unknown = wrapper.instance;
        return typeof instance === 'object' && instance !== null ? [[instance, wrapper]] : [];
      }),
    );
  }
}

type Found = Pick<DiscoveredMethod<Named>, 'owner' | 'options'>;

/** Says why a marked method cannot be offered to clients. */
export const invalidMethod = (
  kind: string,
  { owner, options }: Found,
  problem: string,
  cause?: unknown,
) => new Error(`MCP ${kind} "${options.name}" (${owner}) ${problem}`, { cause });

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Whether a tool, resource or prompt may have this name. */
export const isName = (name: string): boolean => NAME.test(name);

/** @throws Error that names a method whose name is invalid or taken, or whose scope is unknown */
export function expectNamesAndScopes(
  kind: string,
  found: readonly Found[],
  scopes: readonly string[],
): void {
  const owners = new Map<string, string>();
  for (const one of found) {
    const { name, scope } = one.options;
    if (!isName(name)) {
      throw invalidMethod(kind, one, 'needs a name of 1 to 128 letters, digits, _, - or .');
    }
    const other = owners.get(name);
    if (other !== undefined)
      throw invalidMethod(kind, one, `has the name of another ${kind}, ${other}`);
    if (!scopes.includes(scope)) {
      const known = scopes.join(', ');
      throw invalidMethod(kind, one, `needs the scope "${scope}", which is not one of: ${known}`);
    }
    owners.set(name, one.owner);
  }
}
