import {
  type CallToolResult,
  type Implementation,
  type jsonSchemaValidator,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import { argumentsOf } from './library-message.js';

interface McpServerParts {
  readonly identity: Implementation;
  readonly validator: jsonSchemaValidator;
  readonly listTools: () => Tool[];
}

/**
 * A server for one request of one caller; never to be shared. It is the library's low-level one: it
 * costs a microsecond, where the high-level one registers every tool anew. Its messages went through
 * `forLibrary`.
 */
export function createMcpServer(
  { identity, validator, listTools }: McpServerParts,
  callTool: (name: string, input: unknown) => Promise<CallToolResult>,
): Server {
  const server = new Server(identity, {
    capabilities: { tools: {} },
    jsonSchemaValidator: validator,
  });
  server.setRequestHandler('tools/list', () => ({ tools: listTools() }));
  server.setRequestHandler('tools/call', ({ params }) =>
    callTool(params.name, argumentsOf(params)),
  );
  // A cancelled request is never answered, and a batch that cancels itself would wait for that.
  server.setNotificationHandler('notifications/cancelled', () => {});
  return server;
}
