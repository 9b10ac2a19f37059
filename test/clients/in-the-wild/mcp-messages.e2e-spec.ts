import { ConnectedApp } from '../../mcp/connected-app.js';
import { useGatehouse } from '../../support/gatehouse.js';
import { type Answer, call } from '../../support/http.js';

const BOTH = 'application/json, text/event-stream';

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Headers = Readonly<Record<string, string | string[]>>;

const modernHeaders = (method: string, name?: string): Headers => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const status = (args: unknown, more: object = {}) => ({
  method: 'tools/call',
  params: { name: 'account_status', arguments: args, ...more },
});

const initialize = (params: object) => ({
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', ...params },
});

describe('MCP messages of clients in the wild (contract: What is forgiven)', () => {
  const gatehouse = useGatehouse();
  let app: ConnectedApp;

  beforeAll(async () => {
    app = await ConnectedApp.connect(gatehouse);
  });

  const post = (body: unknown, headers: Headers = {}): Promise<Answer> =>
    call(gatehouse.port, {
      method: 'POST',
      path: '/svc/mcp',
      headers: {
        host: new URL(gatehouse.origin).host,
        'content-type': 'application/json',
        accept: BOTH,
        authorization: `Bearer ${app.token}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const request = (message: object, headers: Headers = {}) =>
    post({ jsonrpc: '2.0', id: 7, ...message }, headers);

  it.each<[string, object]>([
    ['Goose, LibreChat | arguments null', status(null)],
    ['PHP clients | arguments []', status([])],
    ['models | arguments ""', status('')],
    ['.NET | arguments with _meta null', status({}, { _meta: null })],
    ['.NET | progressToken null', status({}, { _meta: { progressToken: null } })],
    [
      'n8n | its own members',
      status({ sessionId: 's', action: 'sendMessage', chatInput: 'hi', toolCallId: 't' }),
    ],
    ['Windsurf | an explanation', status({ explanation: 'to see the budget' })],
    [
      '.NET | members of the call that are null',
      status({}, { task: null, requestState: null, inputResponses: null }),
    ],
    ['.NET | params null', { method: 'tools/list', params: null }],
    ['.NET | cursor null', { method: 'tools/list', params: { cursor: null } }],
    ['.NET | _meta null', { method: 'tools/list', params: { _meta: null } }],
    [
      '.NET | progressToken null in a list',
      { method: 'tools/list', params: { _meta: { progressToken: null } } },
    ],
    ['.NET | resources, params null', { method: 'resources/list', params: null }],
    [
      '.NET | templates, cursor null',
      { method: 'resources/templates/list', params: { cursor: null } },
    ],
    ['.NET | ping, params null', { method: 'ping', params: null }],
    [
      'LibreChat | initialize without clientInfo.version',
      initialize({ capabilities: {}, clientInfo: { name: 'x' } }),
    ],
    ['Java | initialize, clientInfo null', initialize({ capabilities: {}, clientInfo: null })],
    [
      'Java | initialize, capabilities null',
      initialize({ capabilities: null, clientInfo: { name: 'x', version: '1' } }),
    ],
    [
      'Java | initialize, members null',
      initialize({
        capabilities: {
          roots: null,
          sampling: null,
          elicitation: { form: null, url: null },
          experimental: null,
        },
        clientInfo: { name: 'x', version: null, title: null, icons: null, websiteUrl: null },
        _meta: null,
      }),
    ],
    ['some client | initialize without both', initialize({})],
    ['some client | unknown members of the message', { ...status({}), extensions: {}, auth: null }],
    ['some client | unknown members of params', status({}, { tool: 'x', context: [1] })],
  ])('200 | %s', async (_title, message) => {
    const answer = await request(message);
    expect({ status: answer.status, ...answer.json<object>() }).toEqual({
      status: 200,
      jsonrpc: '2.0',
      id: 7,
      result: expect.not.objectContaining({ isError: true }),
    });
  });

  it.each<[object, number, number, string]>([
    [{ method: 'tools/call', params: { name: null } }, 200, -32_602, 'params.name takes a string'],
    [{ method: 'tools/call', params: [] }, 400, -32_602, 'params takes an object'],
    [status(7), 200, -32_602, 'params.arguments takes an object'],
    [status('{}'), 200, -32_602, 'params.arguments takes an object'],
    [status({}, { _meta: 7 }), 400, -32_602, 'params._meta takes an object'],
    [
      status({}, { _meta: { progressToken: {} } }),
      400,
      -32_602,
      'params._meta.progressToken takes a string or a number',
    ],
    [{ method: 'tools/list', params: { cursor: 7 } }, 200, -32_602, 'params.cursor takes a string'],
    [
      { method: 'resources/read', params: { uri: null } },
      200,
      -32_602,
      'params.uri takes a string',
    ],
    [{ method: 'initialize', params: null }, 200, -32_602, 'params.protocolVersion takes a string'],
    [initialize({ clientInfo: 7 }), 200, -32_602, 'params.clientInfo takes an object'],
    [
      initialize({ capabilities: { roots: 7 } }),
      200,
      -32_602,
      'params.capabilities.roots takes an object',
    ],
    [{ method: 7 }, 400, -32_600, 'method takes a string'],
    [{ method: 'ping', jsonrpc: 2 }, 400, -32_600, 'jsonrpc takes "2.0"'],
    [
      { method: 'ping', result: {} },
      400,
      -32_600,
      'a message has a method, or else a result or an error',
    ],
  ])('%j is refused in one sentence with its id', async (message, httpStatus, code, sentence) => {
    const answer = await request(message);
    expect({ status: answer.status, ...answer.json<object>() }).toEqual({
      status: httpStatus,
      jsonrpc: '2.0',
      id: 'result' in message ? null : 7,
      error: { code, message: sentence },
    });
  });

  it.each<[string, object, Headers]>([
    [
      'connector of claude.ai | header 2025-11-25, _meta of 2026-07-28',
      status({}, { _meta: MODERN_META }),
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    [
      'connector of claude.ai | header 2025-06-18, a list',
      { method: 'tools/list', params: { _meta: MODERN_META } },
      { 'mcp-protocol-version': '2025-06-18' },
    ],
    [
      'some client | header 2025-11-25, _meta that names no version',
      status({}, { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } }),
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    [
      'TypeScript SDK | initialize, header 2026-07-28',
      initialize({ capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
      modernHeaders('initialize'),
    ],
    [
      'some client | initialize, a header of a version to come',
      initialize({}),
      { 'mcp-protocol-version': '2031-01-01' },
    ],
    [
      'proxies | the version twice in one line',
      status({}),
      { 'mcp-protocol-version': '2025-11-25, 2025-11-25' },
    ],
    [
      'proxies | the version in two lines',
      status({}),
      { 'mcp-protocol-version': ['2025-11-25', '2025-11-25'] },
    ],
    [
      'proxies | all headers of 2026-07-28 twice',
      status({}, { _meta: MODERN_META }),
      {
        'mcp-protocol-version': ['2026-07-28', '2026-07-28'],
        'mcp-method': 'tools/call,tools/call',
        'mcp-name': ['account_status', 'account_status'],
      },
    ],
    [
      'some client | no header, _meta of 2025-11-25',
      status({}, { _meta: { progressToken: 1 } }),
      {},
    ],
  ])('200 | %s', async (_title, message, headers) => {
    const answer = await request(message, { ...headers, accept: 'application/json' });
    expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 7, result: expect.any(Object) });
    expect(answer.status).toBe(200);
  });

  it.each<[string, object, Headers, number]>([
    ['an unknown version', status({}), { 'mcp-protocol-version': '1999-01-01' }, -32_022],
    ['two versions', status({}), { 'mcp-protocol-version': '2025-11-25, 2026-07-28' }, -32_020],
    [
      'two methods',
      status({}, { _meta: MODERN_META }),
      { ...modernHeaders('tools/call', 'account_status'), 'mcp-method': 'tools/call, ping' },
      -32_020,
    ],
    [
      'two names',
      status({}, { _meta: MODERN_META }),
      { ...modernHeaders('tools/call'), 'mcp-name': 'account_status, run_code' },
      -32_020,
    ],
    ['2026-07-28 and no _meta', status({}), modernHeaders('tools/call', 'account_status'), -32_602],
  ])('400 | %s', async (_title, message, headers, code) => {
    const answer = await request(message, headers);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ id: 7, error: { code } });
  });

  it('400 | an unknown version | tells which there are', async () => {
    const answer = await request(status({}), { 'mcp-protocol-version': '1999-01-01' });
    const { data } = answer.json<{ error: { data: { supported: string[] } } }>().error;
    expect(data.supported).toEqual(
      expect.arrayContaining(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']),
    );
  });

  it('400 | a batch under 2026-07-28 | does nothing', async () => {
    const batch = [{ jsonrpc: '2.0', id: 7, method: 'ping' }];
    const answer = await post(batch, { 'mcp-protocol-version': '2026-07-28' });
    expect(answer.status).toBe(400);
  });

  const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const RESPONSE = { jsonrpc: '2.0', id: 7, result: {} };

  it.each(['text/event-stream', 'text/html', 'application/json;q=0', '*/*'])(
    '202 | Copilot Studio | a notification or response, Accept: %s',
    async (accept) => {
      for (const body of [NOTE, { ...NOTE, params: null }, RESPONSE, [NOTE, RESPONSE]]) {
        expect({ body, status: (await post(body, { accept })).status }).toEqual({
          body,
          status: 202,
        });
      }
    },
  );

  it.each<[string, object, Headers]>([
    ['2025-11-25', status({}), {}],
    [
      '2026-07-28',
      status({}, { _meta: MODERN_META }),
      modernHeaders('tools/call', 'account_status'),
    ],
    ['initialize', initialize({}), {}],
  ])('Accept: text/event-stream alone gets one event | %s', async (_title, message, headers) => {
    const answer = await request(message, {
      ...headers,
      accept: 'Text/Event-Stream; charset=utf-8',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(answer.text) ?? [];
    expect(JSON.parse(data)).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it.each([
    ['APPLICATION/JSON', 200, 'application/json'],
    ['application/json;charset=utf-8, text/event-stream', 200, 'application/json'],
    ['application/json;q=0, text/event-stream', 200, 'text/event-stream'],
    ['text/event-stream;q=0, application/json', 200, 'application/json'],
    ['text/html, */*;q=0.1', 200, 'application/json'],
    ['text/html', 406, 'application/json'],
    ['application/json;q=0', 406, 'application/json'],
  ])('Accept: %s | %i %s', async (accept, httpStatus, type) => {
    const answer = await request(status({}), { accept });
    expect(answer.status).toBe(httpStatus);
    expect(answer.headers['content-type']).toContain(type);
    if (httpStatus === 406) expect(answer.json()).toMatchObject({ id: 7 });
  });
});
