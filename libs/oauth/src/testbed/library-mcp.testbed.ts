import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** The one tool, which says hello. */
export const GREETING = { content: [{ type: 'text' as const, text: 'hello' }] };

const TOOLS = [{ name: 'greet', inputSchema: { type: 'object' as const } }];

function createServer(requestState?: NonNullable<ServerOptions['requestState']>) {
  const server = new Server(
    { name: 'Gatehouse', title: 'Gatehouse', version: '0.0.0' },
    { capabilities: { tools: {} }, ...(requestState && { requestState }) },
  );
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === 'greet') return GREETING;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such tool');
  });
  server.setNotificationHandler('notifications/cancelled', () => {});
  return server;
}

/** No call keeps a state, so none is good; clients of 2025 know no such thing. */
const requestState = {
  verify: () => {
    throw new Error('no state was given to anybody');
  },
};

const modern = createMcpHandler(() => createServer(requestState), { legacy: 'reject' });

/** What the library answers by its own transports, with a server for each request: its checks are ours. */
export async function answerByLibrary(
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const request = new Request('http://localhost/svc/mcp', { method: 'POST', headers });
  const options = { parsedBody: body };
  if (!(await isLegacyRequest(request, body))) return modern.fetch(request, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}
