import {
  type Implementation,
  type jsonSchemaValidator,
  LATEST_PROTOCOL_VERSION,
  type RequestId,
  Server,
  type ServerCapabilities,
  type ServerOptions,
  specTypeSchemas,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { McpConnection, type OpenRequest } from './mcp-connection.js';

/** The revision that says with every request what others said once; those before it are of 2025. */
export const MODERN_REVISION = '2026-07-28';

/** How a message is to be understood: the library has a server for either. */
export type McpEra = 'modern' | 'legacy';

/** Something that clients can ask for: what is said of it, and how it is answered. */
export interface McpOffer<Asker> {
  /** Whether there is anything of it; what is not there is not announced. */
  readonly isThere: boolean;
  capabilities(era: McpEra): ServerCapabilities;
  answerOn(server: Server, openOf: OpenOf<Asker>): void;
}

/** The request that goes on under a number of the connection. @throws Error when it was given up */
export type OpenOf<Asker> = (id: RequestId) => OpenRequest<Asker>;

interface McpServerParts<Asker> {
  readonly identity: Implementation;
  readonly instructions: string | undefined;
  readonly validator: jsonSchemaValidator;
  readonly offers: readonly McpOffer<Asker>[];
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
  const { identity, instructions, validator, offers, onerror } = parts;
  const connection = new McpConnection<Asker>();
  const capabilities = Object.assign({}, ...offers.map((offer) => offer.capabilities(era)));
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
  for (const offer of offers) offer.answerOn(server, (id) => connection.get(id));
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
