import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { Asker } from './asker.js';
import { CompletionOfferService } from './completions/completion-offer.service.js';
import type { Asked, McpConnection } from './mcp-connection.js';
import { connectMcpServer, type McpEra } from './mcp-server.js';
import { PromptOfferService } from './prompts/prompt-offer.service.js';
import { ResourceOfferService } from './resources/resource-offer.service.js';
import { serverIdentity } from './server-identity.js';
import { shortText } from './short-errors.js';
import { ToolOfferService } from './tools/tool-offer.service.js';

/** The library's servers, one an era, made once for everybody when it is known what they offer. */
@Injectable()
export class McpServersService implements OnApplicationBootstrap {
  private readonly logger = new Logger(McpServersService.name);
  private servers: ReadonlyMap<McpEra, McpConnection<Asker>> = new Map();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly tools: ToolOfferService,
    private readonly resources: ResourceOfferService,
    private readonly prompts: PromptOfferService,
    private readonly completions: CompletionOfferService,
  ) {}

  async onApplicationBootstrap() {
    const { tools, resources, prompts, completions } = this;
    const parts = {
      identity: serverIdentity(this.options),
      instructions: this.options.mcpServer?.instructions,
      validator: tools.validator,
      offers: [tools, resources, prompts, completions].filter(({ isThere }) => isThere),
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
}
