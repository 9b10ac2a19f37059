import {
  type CallToolResult,
  type Implementation,
  type jsonSchemaValidator,
  LATEST_PROTOCOL_VERSION,
  Server,
  specTypeSchemas,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server';
import { argumentsOf } from './library-message.js';
import { McpConnection } from './mcp-connection.js';

/** The revision that says with every request what others said once; those before it are of 2025. */
export const MODERN_REVISION = '2026-07-28';

/** How a message is to be understood: the library has a server for either. */
export type McpEra = 'modern' | 'legacy';

interface McpServerParts<Asker> {
  readonly identity: Implementation;
  readonly validator: jsonSchemaValidator;
  readonly listTools: () => Tool[];
  readonly callTool: (asker: Asker, name: string, input: unknown) => Promise<CallToolResult>;
  readonly onerror: (error: Error) => void;
}

const CAPABILITIES = { tools: {} };

/** The library's low-level server, of the revision that it is to speak and never to negotiate. */
class RevisionServer extends Server {
  constructor(identity: Implementation, era: McpEra, validator: jsonSchemaValidator) {
    super(identity, {
      capabilities: CAPABILITIES,
      jsonSchemaValidator: validator,
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
  { identity, validator, listTools, callTool, onerror }: McpServerParts<Asker>,
): Promise<McpConnection<Asker>> {
  const connection = new McpConnection<Asker>();
  const server = new RevisionServer(identity, era, validator);
  Object.assign(server, { onerror });
  // The library's own would remember the client.
  server.setRequestHandler('initialize', ({ params }) => ({
    protocolVersion: supported(params.protocolVersion),
    capabilities: CAPABILITIES,
    serverInfo: identity,
  }));
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(connection.get(mcpReq.id).asker, params.name, argumentsOf(params)),
  );
  // Nothing that could be told changes while the service runs, so a subscription is over as it begins.
  const listening = { params: specTypeSchemas.SubscriptionsListenRequestParams };
  server.setRequestHandler('subscriptions/listen', listening, (_params, { mcpReq }) => ({
    _meta: { [SUBSCRIPTION_ID_META_KEY]: connection.get(mcpReq.id).clientId },
  }));
  await server.connect(connection);
  return connection;
}

const supported = (version: string) =>
  SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? version : LATEST_PROTOCOL_VERSION;
