import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { AccountCall } from './account-calls.js';
import type { EventStream } from './event-stream.js';
import type { Asked, McpConnection, OpenRequest } from './mcp-connection.js';
import { connectMcpServer, type McpEra } from './mcp-server.js';
import { progressFor } from './progress-reports.js';
import { shortText } from './short-errors.js';
import type { McpCaller } from './tools/mcp-tool.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { type CallOrigin, ToolCallsService } from './tools/tool-calls.service.js';
import type { CallableTool } from './tools/tool-registry.js';

/** On whose behalf a request is answered, and what it may call. */
export interface Asker {
  readonly caller: McpCaller;
  readonly callable: ReadonlyMap<string, CallableTool>;
  readonly from: CallOrigin;
  readonly call: AccountCall;
  /** Where progress can be told; nowhere for a client that takes no events. */
  readonly stream: EventStream | undefined;
}

/** The library's servers, one an era, made once for everybody. */
@Injectable()
export class McpServersService implements OnModuleInit {
  private readonly logger = new Logger(McpServersService.name);
  private servers: ReadonlyMap<McpEra, McpConnection<Asker>> = new Map();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly tools: McpToolsService,
    private readonly calls: ToolCallsService,
  ) {}

  async onModuleInit() {
    const parts = {
      identity: { name: this.options.serviceName, version: '1.0.0' },
      validator: this.tools.validator,
      toolsChange: this.tools.canChange,
      listTools: ({ caller }: Asker) => this.tools.list(caller),
      callTool: (request: OpenRequest<Asker>, name: string, input: unknown) =>
        this.callTool(request, name, input),
      onerror: (error: Error) => this.logger.warn(shortText(String(error))),
    };
    this.servers = new Map([
      ['modern', await connectMcpServer('modern', parts)],
      ['legacy', await connectMcpServer('legacy', parts)],
    ]);
  }

  ask(era: McpEra, requests: readonly JSONRPCRequest[], asker: Asker): Asked[] {
    const server = this.servers.get(era);
    return requests.flatMap((request) => server?.ask(request, asker) ?? []);
  }

  private callTool({ request, asker, stop }: OpenRequest<Asker>, name: string, input: unknown) {
    const { callable, caller, from, call, stream } = asker;
    const progress = progressFor(request, stream);
    const onWork = (work: Promise<unknown>) => call.keepFor(work);
    return this.calls.call(callable.get(name), input, { caller, from, stop, progress, onWork });
  }
}
