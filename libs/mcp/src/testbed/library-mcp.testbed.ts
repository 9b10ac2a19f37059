import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/** The only tool, which says hello. */
export const GREETING_RESULT = { content: [{ type: 'text' as const, text: 'hello' }] };

const TOOLS = [{ name: 'greet', inputSchema: { type: 'object' as const } }];

function createServer(requestState?: NonNullable<ServerOptions['requestState']>) {
  const server = new Server(
    { name: 'Gatehouse', title: 'Gatehouse', version: '0.0.0' },
    { capabilities: { tools: {} }, ...(requestState && { requestState }) },
  );
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name === 'greet') return GREETING_RESULT;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such tool');
  });
  server.setNotificationHandler('notifications/cancelled', () => {});
  return server;
}

/** No call keeps a state, so every state is invalid; clients of 2025 have none. */
const requestState = {
  verify: () => {
    throw new Error('no state was given to any client');
  },
};

const modern = createMcpHandler(() => createServer(requestState), { legacy: 'reject' });

/** The library's answer through its own transports, with a server per request: ours makes the same checks. */
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
