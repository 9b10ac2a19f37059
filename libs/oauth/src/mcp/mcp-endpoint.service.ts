import type { Implementation } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { AccessGrant } from '../grants/access-tokens.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { AccountCall } from './account-calls.js';
import { AccountTurns } from './account-turns.js';
import { forLibrary } from './library-message.js';
import { createMcpServer } from './mcp-server.js';
import { parsePosted } from './posted-body.js';
import { shortText } from './short-errors.js';
import type { McpCaller } from './tools/mcp-tool.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import { StatelessMcp } from './stateless-mcp.js';
import { ToolCallsService } from './tools/tool-calls.service.js';

interface Exchange {
  /** Without its body. */
  readonly message: Request;
  readonly bytes: Uint8Array;
  readonly grant: AccessGrant;
  readonly call: AccountCall;
}

/** Answers one posted message, or a batch, on behalf of one grant. */
@Injectable()
export class McpEndpointService implements OnModuleDestroy {
  private readonly logger = new Logger(McpEndpointService.name);
  private readonly mcp = new StatelessMcp((error) => this.logger.warn(shortText(String(error))));
  private readonly identity: Implementation;

  constructor(
    @Inject(OAUTH_OPTIONS) { serviceName }: OAuthOptions,
    private readonly tools: McpToolsService,
    private readonly calls: ToolCallsService,
    private readonly turns: AccountTurns,
  ) {
    this.identity = { name: serviceName, version: '1.0.0' };
  }

  async onModuleDestroy() {
    await this.mcp.close();
  }

  /**
   * Waits for the account's turn.
   * @throws BearerError insufficient_scope, and RefusalError for what is too much, before anything is called
   */
  async answer({ message, bytes, grant, call }: Exchange): Promise<Response> {
    await this.turns.take(grant.user.id);
    if (message.signal.aborted) return new Response(null, { status: 499 });
    const body = parsePosted(bytes);
    call.becomes(body);
    const callable = this.tools.authorizeCalls(body, grant.scopes);
    const caller = callerOf(grant);
    const about = { clientId: grant.clientId, origin: new URL(grant.audience).origin };
    const { identity, tools } = this;
    const parts = { identity, validator: tools.validator, listTools: () => tools.list() };
    const server = createMcpServer(parts, (name, input) =>
      this.calls.call(callable.get(name), input, caller, about),
    );
    return this.mcp.answer(message, forLibrary(body), server);
  }
}

const callerOf = ({ user, app, grantId, scopes }: AccessGrant): McpCaller => ({
  user,
  app,
  grantId,
  scopes,
  props: { userId: user.id, app },
});
