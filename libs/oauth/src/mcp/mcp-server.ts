import {
  type CallToolResult,
  type Implementation,
  type jsonSchemaValidator,
  LATEST_PROTOCOL_VERSION,
  Server,
  type ServerOptions,
  specTypeSchemas,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server';
import { argumentsOf } from './library-message.js';
import { McpConnection, type OpenRequest } from './mcp-connection.js';

/** The revision that says with every request what others said once; those before it are of 2025. */
export const MODERN_REVISION = '2026-07-28';

/** How a message is to be understood: the library has a server for either. */
export type McpEra = 'modern' | 'legacy';

interface McpServerParts<Asker> {
  readonly identity: Implementation;
  readonly instructions: string | undefined;
  readonly validator: jsonSchemaValidator;
  readonly listTools: (asker: Asker) => Promise<Tool[]>;
  readonly callTool: (
    request: OpenRequest<Asker>,
    name: string,
    input: unknown,
  ) => Promise<CallToolResult>;
  /** Whether the list of tools may change while the service runs. */
  readonly toolsChange: boolean;
  readonly onerror: (error: Error) => void;
}

/** The library's low-level server, of the revision that it is to speak and never to negotiate. */
class RevisionServer extends Server {
  constructor(identity: Implementation, era: McpEra, options: ServerOptions) {
    super(identity, {
      ...options,
      supportedProtocolVersions: era === 'modern' ? [MODERN_REVISION] : SUPPORTED_PROTOCOL_VERSIONS,
    });
    if (era === 'modern') this._negotiatedProtocolVersion = MODERN_REVISION;
  }
}

/**
 * A server for all requests of one era, made once. It keeps nothing of any of them: who asks goes with
 * each request, and what clients tell of themselves is for nobody. Its messages went through `forLibrary`.
 */
export async function connectMcpServer<Asker>(
  era: McpEra,
  parts: McpServerParts<Asker>,
): Promise<McpConnection<Asker>> {
  const { identity, instructions, validator, listTools, callTool, toolsChange, onerror } = parts;
  const connection = new McpConnection<Asker>();
  // In the versions of 2025 nothing can be told of it: there is no stream to tell it on.
  const capabilities = { tools: toolsChange && era === 'modern' ? { listChanged: true } : {} };
  const server = new RevisionServer(identity, era, {
    capabilities,
    ...(instructions !== undefined && { instructions }),
    jsonSchemaValidator: validator,
  });
  Object.assign(server, { onerror });
  // The library's own would remember the client.
  server.setRequestHandler('initialize', ({ params }) => ({
    protocolVersion: supported(params.protocolVersion),
    capabilities,
    serverInfo: identity,
    ...(instructions !== undefined && { instructions }),
  }));
  server.setRequestHandler('tools/list', async (_request, { mcpReq }) => ({
    tools: await listTools(connection.get(mcpReq.id).asker),
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(connection.get(mcpReq.id), params.name, argumentsOf(params)),
  );
  // The end of a subscription, which is said when it is over.
  const listening = { params: specTypeSchemas.SubscriptionsListenRequestParams };
  server.setRequestHandler('subscriptions/listen', listening, (_params, { mcpReq }) => ({
    _meta: { [SUBSCRIPTION_ID_META_KEY]: connection.get(mcpReq.id).request.id },
  }));
  await server.connect(connection);
  return connection;
}

const supported = (version: string) =>
  SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? version : LATEST_PROTOCOL_VERSION;
