import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import { FirstErrorValidator } from './first-error-validator.js';
import type { McpToolMethod } from './mcp-tool.js';
import { ToolMark } from './mcp-tool.decorator.js';
import { authorizeToolCalls } from './tool-authorization.js';
import {
  definitionOf,
  type FoundTool,
  type RegisteredTool,
  registerTools,
} from './tool-registry.js';

/** Every tool of the application, found when it starts; what does not fit together stops the start. */
@Injectable()
export class McpToolsService implements OnModuleInit {
  /** The one compiler of schemas; building one for every request is what makes MCP servers slow. */
  readonly validator = new FirstErrorValidator();
  private tools: ReadonlyMap<string, RegisteredTool> = new Map();
  private definitions: readonly ReturnType<typeof definitionOf>[] = [];

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit() {
    const found = [...this.providers()].flatMap(([instance, wrapper]) =>
      this.toolsOf(instance, wrapper),
    );
    this.tools = registerTools(found, scopeNames(this.options.scopes), this.validator);
    this.definitions = [...this.tools.values()].map((tool) => definitionOf(tool));
  }

  /** As `tools/list` shows them: all of them, so that a client can ask for a scope it lacks. */
  list() {
    return [...this.definitions];
  }

  /**
   * The tools that a posted message calls, when all of them may be called with the granted scopes.
   * @throws BearerError insufficient_scope
   */
  authorizeCalls(body: unknown, granted: readonly string[]): ReadonlyMap<string, RegisteredTool> {
    return authorizeToolCalls(body, this.tools, granted, scopeNames(this.options.scopes));
  }

  /** Aliases lead to the same instance; it counts once. */
  private providers(): Map<object, InstanceWrapper> {
    const wrappers = this.discovery.getProviders();
    return new Map(
      wrappers.flatMap((wrapper) => {
        const instance: unknown = wrapper.instance;
        return typeof instance === 'object' && instance !== null ? [[instance, wrapper]] : [];
      }),
    );
  }

  private toolsOf(instance: object, wrapper: InstanceWrapper): FoundTool[] {
    const methods = instance as Record<string, McpToolMethod>;
    return this.scanner.getAllMethodNames(Object.getPrototypeOf(instance)).flatMap((method) => {
      if (typeof methods[method] !== 'function') return [];
      const options = this.discovery.getMetadataByDecorator(ToolMark, wrapper, method);
      if (!options) return [];
      const owner = `${instance.constructor.name}.${method}`;
      if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
        throw new Error(`MCP tool "${options.name}" (${owner}) needs a provider of default scope`);
      }
      return [
        {
          owner,
          options,
          call: (input, caller, run) => methods[method]?.(input as never, caller, run),
        },
      ];
    });
  }
}
