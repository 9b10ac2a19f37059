import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { OutageLog } from '#libs/database';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import {
  type AccountTool,
  AccountTools,
  NoAccountTools,
  type ToolDefinition,
} from './account-tools.js';
import { FirstErrorValidator } from './first-error-validator.js';
import type { McpCaller, McpToolMethod } from './mcp-tool.js';
import { ToolMark } from './mcp-tool.decorator.js';
import { authorizeToolCalls, calledNames } from './tool-authorization.js';
import {
  type CallableTool,
  definitionOf,
  type FoundTool,
  isToolName,
  type RegisteredTool,
  registerTools,
} from './tool-registry.js';

/** Of one account, in a list; a client that is shown more uses none of them well. */
const MAX_ACCOUNT_TOOLS = 256;

/**
 * Every tool of the application, found when it starts, where what does not fit together stops it; and
 * those that an account has beside.
 */
@Injectable()
export class McpToolsService implements OnModuleInit {
  /** The one compiler of schemas; building one for every request is what makes MCP servers slow. */
  readonly validator = new FirstErrorValidator();
  private tools: ReadonlyMap<string, RegisteredTool> = new Map();
  private definitions: readonly ToolDefinition[] = [];
  private readonly outage = new OutageLog(new Logger(McpToolsService.name));

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly accountTools: AccountTools,
  ) {}

  /** Whether what {@link list} says may change while the service runs. */
  get canChange(): boolean {
    return !(this.accountTools instanceof NoAccountTools);
  }

  onModuleInit() {
    const found = [...this.providers()].flatMap(([instance, wrapper]) =>
      this.toolsOf(instance, wrapper),
    );
    const { validator, accountTools, options } = this;
    const { prefix } = accountTools;
    this.tools = registerTools(found, scopeNames(options.scopes), { validator, prefix });
    this.definitions = [...this.tools.values()].map((tool) => definitionOf(tool));
  }

  /**
   * As `tools/list` shows them: all of the application, so that a client can ask for a scope it lacks, then
   * those of the account, where they can be found out now.
   */
  async list(caller: McpCaller): Promise<ToolDefinition[]> {
    if (!this.canChange) return [...this.definitions];
    try {
      const found = await this.accountTools.list(caller);
      this.outage.end('tools of accounts are listed again');
      const own = found.filter(({ name }) => this.isOfAccount(name));
      return [...this.definitions, ...own.slice(0, MAX_ACCOUNT_TOOLS)];
    } catch (error) {
      this.outage.begin(`tools of accounts are not listed: ${String(error)}`);
      return [...this.definitions];
    }
  }

  /**
   * The tools that a posted message calls, when all of them may be called with the granted scopes.
   * @throws BearerError insufficient_scope
   */
  async authorizeCalls(
    body: unknown,
    caller: McpCaller,
  ): Promise<ReadonlyMap<string, CallableTool>> {
    const names = calledNames(body);
    const own = names.filter((name) => this.isOfAccount(name));
    const tools = own.length === 0 ? this.tools : await this.withOwn(own, caller);
    return authorizeToolCalls(names, tools, caller.scopes, scopeNames(this.options.scopes));
  }

  private isOfAccount(name: string) {
    return name.startsWith(this.accountTools.prefix) && isToolName(name);
  }

  private async withOwn(names: readonly string[], caller: McpCaller) {
    const tools = new Map<string, CallableTool>(this.tools);
    for (const name of names) {
      const tool = await this.accountTools.find(name, caller);
      if (tool) tools.set(name, this.callable(name, tool));
    }
    return tools;
  }

  /** What such a tool is called is no word of ours: the audit trail has what the names begin with. */
  private callable(name: string, tool: AccountTool): CallableTool {
    return {
      name,
      scope: tool.scope,
      label: `${this.accountTools.prefix}*`,
      checkInput: (input) => tool.checkInput(input),
      checkOutput: () => undefined,
      call: (input, caller, run) => tool.call(input, caller, run),
    };
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
