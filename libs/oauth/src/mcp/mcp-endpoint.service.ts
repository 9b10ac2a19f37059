import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { AccessGrant } from '../grants/access-tokens.service.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import type { AccountCall } from './account-calls.js';
import { AccountTurns } from './account-turns.js';
import { type HttpAnswer, httpAnswer } from './http-answer.js';
import { forLibrary } from './library-message.js';
import type { McpConnection } from './mcp-connection.js';
import { connectMcpServer, type McpEra } from './mcp-server.js';
import { parsePosted } from './posted-body.js';
import { type PostedHead, readMessages } from './posted-messages.js';
import { shortText } from './short-errors.js';
import type { McpCaller } from './tools/mcp-tool.js';
import { McpToolsService } from './tools/mcp-tools.service.js';
import type { RegisteredTool } from './tools/tool-registry.js';
import { type CallOrigin, ToolCallsService } from './tools/tool-calls.service.js';

/** A posted body, and what has to be known to answer it. */
export interface Posted extends PostedHead {
  readonly bytes: Uint8Array;
  readonly grant: AccessGrant;
  /** That the request was made to. */
  readonly origin: string;
  readonly call: AccountCall;
  /** Hears when nobody waits for the answer any more. */
  readonly onEnd: (end: () => void) => void;
}

/** On whose behalf a request is answered, and what it may call. */
interface Asker {
  readonly caller: McpCaller;
  readonly callable: ReadonlyMap<string, RegisteredTool>;
  readonly from: CallOrigin;
}

/** Answers one posted message, or a batch, on behalf of one grant. */
@Injectable()
export class McpEndpointService implements OnModuleInit {
  private readonly logger = new Logger(McpEndpointService.name);
  private servers: ReadonlyMap<McpEra, McpConnection<Asker>> = new Map();

  constructor(
    @Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions,
    private readonly tools: McpToolsService,
    private readonly calls: ToolCallsService,
    private readonly turns: AccountTurns,
  ) {}

  async onModuleInit() {
    const parts = {
      identity: { name: this.options.serviceName, version: '1.0.0' },
      validator: this.tools.validator,
      listTools: () => this.tools.list(),
      callTool: ({ callable, caller, from }: Asker, name: string, input: unknown) =>
        this.calls.call(callable.get(name), input, caller, from),
      onerror: (error: Error) => this.logger.warn(shortText(String(error))),
    };
    this.servers = new Map([
      ['modern', await connectMcpServer('modern', parts)],
      ['legacy', await connectMcpServer('legacy', parts)],
    ]);
  }

  /**
   * Waits for the account's turn. Undefined when nobody waits for the answer any more.
   * @throws BearerError insufficient_scope, and RefusalError for what is too much or no message of the
   * protocol, before anything is called
   */
  async answer({
    bytes,
    grant,
    origin,
    call,
    onEnd,
    ...head
  }: Posted): Promise<HttpAnswer | undefined> {
    await this.turns.take(grant.user.id);
    if (call.isOver) return undefined;
    const body = parsePosted(bytes);
    call.becomes(body);
    const callable = this.tools.authorizeCalls(body, grant.scopes);
    const messages = readMessages(forLibrary(body), head);
    const server = this.servers.get(messages.era);
    const from = { clientId: grant.clientId, origin };
    const asker = { callable, caller: callerOf(grant), from };
    const asked = messages.requests.flatMap((request) => server?.ask(request, asker) ?? []);
    onEnd(() => asked.forEach(({ giveUp }) => giveUp()));
    const answers = await Promise.all(asked.map(({ answer }) => answer));
    if (call.isOver) return undefined;
    return httpAnswer(
      messages,
      answers.filter((answer) => answer !== undefined),
    );
  }
}

const callerOf = ({ user, app, grantId, scopes }: AccessGrant): McpCaller => ({
  user,
  app,
  grantId,
  scopes,
  props: { userId: user.id, app },
});
