import type { Implementation } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { parseJson } from '#libs/json';
import type { AccessGrant } from '../grants/access-tokens.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { parseErrorAnswer } from './json-rpc.js';
import { createMcpServer } from './mcp-server.js';
import type { McpCaller } from './tools/mcp-tool.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { StatelessMcp } from './stateless-mcp.js';
import { ToolCallsService } from './tools/tool-calls.service.js';

/** Answers one posted message, or a batch, on behalf of one grant. */
@Injectable()
export class McpEndpointService implements OnModuleDestroy {
  private readonly logger = new Logger(McpEndpointService.name);
  private readonly mcp = new StatelessMcp((error) => this.logger.warn(String(error)));
  private readonly identity: Implementation;

  constructor(
    @Inject(OAUTH_OPTIONS) { serviceName }: OAuthOptions,
    private readonly tools: McpToolsService,
    private readonly calls: ToolCallsService,
  ) {
    this.identity = { name: serviceName, version: '1.0.0' };
  }

  async onModuleDestroy() {
    await this.mcp.close();
  }

  /** @throws BearerError insufficient_scope, before anything is called */
  async answer(request: Request, bytes: Uint8Array, grant: AccessGrant): Promise<Response> {
    const body = parseJson(bytes);
    if (body === undefined) return parseErrorAnswer();
    const callable = this.tools.authorizeCalls(body, grant.scopes);
    const caller = callerOf(grant);
    const { identity, tools } = this;
    const parts = { identity, validator: tools.validator, listTools: () => tools.list() };
    const server = createMcpServer(parts, (name, input) =>
      this.calls.call(callable.get(name), input, caller),
    );
    return this.mcp.answer(request, body, server);
  }
}

const callerOf = ({ user, app, grantId, scopes }: AccessGrant): McpCaller => ({
  user,
  app,
  grantId,
  scopes,
  props: { userId: user.id, app },
});
