import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OutageLog } from '#libs/database';
import { OAUTH_OPTIONS, type OAuthOptions } from '../../oauth.module-definition.js';
import { scopeNames } from '../../protected-resource/protected-resource.js';
import { isName } from '../discovery/registration.js';
import { MarkedMethodsService } from '../discovery/marked-methods.service.js';
import {
  type AccountTool,
  AccountTools,
  MAX_ACCOUNT_TOOLS,
  NoAccountTools,
  type ToolDefinition,
} from './account-tools.js';
import { FirstErrorValidator } from './first-error-validator.js';
import type { McpCaller } from './mcp-tool.js';
import { ToolMark } from './mcp-tool.decorator.js';
import { ToolPolicy } from './tool-policy.js';
import {
  type CallableTool,
  definitionOf,
  type RegisteredTool,
  registerTools,
} from './tool-registry.js';

/**
 * Every tool of the application, found when it starts, where what does not fit together stops it; and
 * those that an account has beside.
 */
@Injectable()
export class McpToolsService implements OnModuleInit {
  /** The one compiler of schemas; building one for every request is what makes MCP servers slow. */
  readonly validator = new FirstErrorValidator();
  private tools: ReadonlyMap<string, RegisteredTool> = new Map();
  private readonly outage = new OutageLog(new Logger(McpToolsService.name));

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly methods: MarkedMethodsService,
    private readonly accountTools: AccountTools,
    private readonly policy: ToolPolicy,
  ) {}

  /** Whether what {@link list} says may change while the service runs. */
  get canChange(): boolean {
    return !(this.accountTools instanceof NoAccountTools);
  }

  onModuleInit() {
    const found = this.methods.find(ToolMark, 'MCP tool');
    const { validator, accountTools, options } = this;
    const { prefix } = accountTools;
    this.tools = registerTools(found, scopeNames(options.scopes), { validator, prefix });
  }

  /**
   * As `tools/list` shows them, what the caller may call alone: those of the application, then those of
   * the account, where they can be found out now.
   */
  async list(caller: McpCaller): Promise<ToolDefinition[]> {
    const tools = [...this.tools.values()].filter(({ scope }) => caller.scopes.includes(scope));
    const all = [...tools.map(definitionOf), ...(await this.listOwn(caller))];
    const names = all.map(({ name }) => name);
    const offered = new Set(await this.policy.offered(names, caller));
    return all.filter(({ name }) => offered.has(name));
  }

  /** Those of the names that there is a tool for, and for this caller. */
  async called(
    names: readonly string[],
    caller: McpCaller,
  ): Promise<ReadonlyMap<string, CallableTool>> {
    const tools = new Map<string, CallableTool>();
    if (names.length === 0) return tools;
    const offered = new Set(await this.policy.offered(names, caller));
    for (const name of names.filter((one) => offered.has(one))) {
      const tool = this.isOfAccount(name) ? await this.findOwn(name, caller) : this.tools.get(name);
      if (tool) tools.set(name, tool);
    }
    return tools;
  }

  private async listOwn(caller: McpCaller): Promise<readonly ToolDefinition[]> {
    if (!this.canChange) return [];
    try {
      const found = await this.accountTools.list(caller);
      this.outage.end('tools of accounts are listed again');
      return found.filter(({ name }) => this.isOfAccount(name)).slice(0, MAX_ACCOUNT_TOOLS);
    } catch (error) {
      this.outage.begin(`tools of accounts are not listed: ${String(error)}`);
      return [];
    }
  }

  private isOfAccount(name: string) {
    return name.startsWith(this.accountTools.prefix) && isName(name);
  }

  private async findOwn(name: string, caller: McpCaller) {
    const tool = await this.accountTools.find(name, caller);
    return tool && this.callable(name, tool);
  }

  /** What such a tool is called is no word of ours: the audit trail has what the names begin with. */
  private callable(name: string, tool: AccountTool): CallableTool {
    return {
      name,
      scope: tool.scope,
      label: `${this.accountTools.prefix}*`,
      checkInput: (input) => tool.checkInput(input),
      checkOutput: () => undefined,
      inHeaders: [],
      call: (input, caller, run) => tool.call(input, caller, run),
    };
  }
}
