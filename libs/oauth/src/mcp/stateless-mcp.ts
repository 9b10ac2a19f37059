import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/**
 * One HTTP exchange of either protocol era, each with a server of its own: no session, so any replica
 * answers any request. The library tells the eras apart and serves 2026-07-28. The 2025 ones go
 * through its transport here, because its own stateless fallback answers with event streams only,
 * at three times the cost.
 */
export class StatelessMcp {
  private readonly servers = new WeakMap<Request, Server>();
  private readonly modern;

  constructor(onerror: (error: Error) => void) {
    const serverOf = ({ requestInfo }: { requestInfo?: Request }) => {
      const server = requestInfo && this.servers.get(requestInfo);
      if (!server) throw new Error('every exchange brings its own server');
      return server;
    };
    // Who listens is counted by account, never all together: nobody takes another's place.
    const maxSubscriptions = Number.MAX_SAFE_INTEGER;
    this.modern = createMcpHandler(serverOf, { legacy: 'reject', onerror, maxSubscriptions });
  }

  /** `body` is what `forLibrary` made of the parsed body; the request is needed for its headers only. */
  async answer(request: Request, body: unknown, server: Server): Promise<Response> {
    if (await isLegacyRequest(request, body)) return answerLegacy(request, body, server);
    this.servers.set(request, server);
    return this.modern.fetch(request, { parsedBody: body });
  }

  async close() {
    await this.modern.close();
  }
}

async function answerLegacy(request: Request, body: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = transport.handleRequest(request, { parsedBody: body });
    return await Promise.race([answer, abandoned(request.signal)]);
  } finally {
    await server.close();
  }
}

const abandoned = async (signal: AbortSignal) => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  signal.addEventListener('abort', () => resolve(new Response(null, { status: 499 })), {
    once: true,
  });
  return promise;
};
