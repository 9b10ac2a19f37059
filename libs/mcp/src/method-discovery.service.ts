import { Inject, Injectable } from '@nestjs/common';
import { type DiscoverableDecorator, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { AnyMcpCaller, McpMethodOptions, ToolRun } from './call.js';
import { MCP_OPTIONS, type McpOptions } from './mcp.module-definition.js';

type Named = Pick<McpMethodOptions, 'name' | 'scope'>;

/** A decorated method of a provider. `owner` names it in error messages: `AccountStatusTool.accountStatus`. */
export interface DiscoveredMethod<Options> {
  readonly owner: string;
  readonly options: Options;
  readonly call: (input: never, caller: AnyMcpCaller, run: ToolRun) => unknown;
}

type Methods = Record<string, (...args: readonly unknown[]) => unknown>;

@Injectable()
export class MethodDiscoveryService {
  constructor(
    @Inject(MCP_OPTIONS) private readonly options: McpOptions,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /**
   * The methods with this decorator, and `more`. @throws Error that names one whose name is invalid or taken, whose
   * scope is unknown, or whose provider is no singleton
   */
  find<Options extends Named>(
    decorator: DiscoverableDecorator<Options>,
    kind: string,
    more: readonly DiscoveredMethod<Options>[] = [],
  ): readonly DiscoveredMethod<Options>[] {
    const found = [...this.decorated(decorator, kind), ...more];
    expectNamesAndScopes(kind, found, this.options.scopes);
    return found;
  }

  private decorated<Options extends Named>(
    decorator: DiscoverableDecorator<Options>,
    kind: string,
  ): DiscoveredMethod<Options>[] {
    const found: DiscoveredMethod<Options>[] = [];
    // Aliases share one instance, which counts once.
    const wrappers = this.discovery.getProviders();
    for (const [instance, wrapper] of new Map(
      wrappers.map((provider) => [provider.instance as object, provider]),
    )) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Methods;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
        if (typeof methods[method] !== 'function') continue;
        const options = this.discovery.getMetadataByDecorator(decorator, wrapper, method);
        if (!options) continue;
        const owner = `${instance.constructor.name}.${method}`;
        if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
          throw invalidMethod(kind, { owner, options }, 'needs a provider of default scope');
        }
        found.push({ owner, options, call: (...args) => methods[method]?.(...args) });
      }
    }
    return found;
  }
}

type Found = Pick<DiscoveredMethod<Named>, 'owner' | 'options'>;

export const invalidMethod = (
  kind: string,
  { owner, options }: Found,
  problem: string,
  cause?: unknown,
) => new Error(`MCP ${kind} "${options.name}" (${owner}) ${problem}`, { cause });

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export const isName = (name: string): boolean => NAME.test(name);

/** @throws Error that names a method whose name is invalid or taken, or whose scope is unknown */
export function expectNamesAndScopes(
  kind: string,
  found: readonly Found[],
  scopes: readonly string[],
): void {
  const owners = new Map<string, string>();
  for (const entry of found) {
    const { name, scope } = entry.options;
    if (!isName(name)) {
      throw invalidMethod(kind, entry, 'needs a name of 1 to 128 letters, digits, _, - or .');
    }
    const other = owners.get(name);
    if (other !== undefined)
      throw invalidMethod(kind, entry, `has the name of another ${kind}, ${other}`);
    if (!scopes.includes(scope)) {
      const known = scopes.join(', ');
      throw invalidMethod(kind, entry, `needs the scope "${scope}", which is not one of: ${known}`);
    }
    owners.set(name, entry.owner);
  }
}
