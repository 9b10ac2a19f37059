import { Injectable } from '@nestjs/common';
import { answerByLibrary, GREETING_RESULT } from './testbed/library-mcp.testbed.js';
import { modernEra } from './testbed/messages.testbed.js';
import { toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import type { McpCaller } from './call.js';
import { McpTool } from './tool.js';

@Injectable()
class Greeting {
  @McpTool(toolOf('greet'))
  greet(_input: object, _caller: McpCaller) {
    return 'hello';
  }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const { meta } = modernEra;

const message = (method: unknown, params?: unknown, id: unknown = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const note = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, params });
const initialize = (protocolVersion: unknown) =>
  message('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
const withMeta = (changes: object) => ({ _meta: { ...meta, ...changes } });
const listen = (notifications: unknown) =>
  message('subscriptions/listen', { _meta: meta, notifications });
const call = (params: object) => message('tools/call', params);

const bodies: readonly unknown[] = [
  null,
  7,
  'tools/list',
  true,
  {},
  [],
  [null],
  [[]],
  [{}],
  message('ping'),
  message('ping', undefined, 'seven'),
  message('ping', undefined, ''),
  message('ping', undefined, null),
  message('ping', undefined, {}),
  message('ping', undefined, 1.5),
  message('ping', undefined, [1]),
  message('ping', { _meta: meta }),
  message(7),
  message(''),
  message('constructor'),
  message('unknown/unknown'),
  message('unknown/unknown', { _meta: meta }),
  message('resources/list'),
  message('resources/list', { _meta: meta }),
  message('resources/read', { _meta: meta, uri: 'x' }),
  message('prompts/get', { _meta: meta, name: 'greet' }),
  message('tasks/get', { taskId: 'x' }),
  message('tasks/get', { _meta: meta, taskId: 'greet' }),
  message('logging/setLevel', { level: 'info' }),
  message('completion/complete', {}),
  { id: 7, method: 'ping' },
  { jsonrpc: '1.0', id: 7, method: 'ping' },
  { ...message('ping'), result: {} },
  { ...message('ping'), error: { code: 1, message: 'x' } },
  message('tools/list'),
  message('tools/list', { cursor: 7 }),
  message('tools/list', { _meta: meta }),
  message('tools/list', { _meta: meta, cursor: 7 }),
  message('tools/list', withMeta({ [VERSION]: '2027-01-01' })),
  message('tools/list', withMeta({ [VERSION]: '2025-11-25' })),
  message('tools/list', withMeta({ [VERSION]: 7 })),
  message('tools/list', withMeta({ [CAPABILITIES]: 7 })),
  message('tools/list', { _meta: { [VERSION]: '2026-07-28' } }),
  message('tools/list', { _meta: { [CAPABILITIES]: {} } }),
  message('server/discover'),
  message('server/discover', { _meta: meta }),
  message('initialize'),
  message('initialize', { _meta: meta }),
  ...['2024-10-07', '2025-03-26', '2025-11-25', '2026-07-28', '1999-01-01', 7].map(initialize),
  [initialize('2025-03-26'), message('ping')],
  [initialize('2025-03-26'), note('notifications/initialized')],
  call({}),
  call({ name: 7 }),
  call({ name: 'greet' }),
  call({ name: 'greet', arguments: 7 }),
  call({ name: 'nothing' }),
  call({ name: 'greet', requestState: 7 }),
  call({ name: 'greet', requestState: 'x', inputResponses: {} }),
  call({ _meta: meta, name: 'greet', arguments: {} }),
  call({ _meta: meta, name: 'nothing', arguments: {} }),
  call({ _meta: meta, name: 7 }),
  call({ _meta: meta, name: 'greet', requestState: 7 }),
  call({ _meta: meta, name: 'greet', requestState: 'x', inputResponses: { a: 1 } }),
  listen({}),
  listen({ toolsListChanged: true }),
  listen(7),
  listen(undefined),
  message('subscriptions/listen', { notifications: {} }),
  note('notifications/initialized'),
  note('notifications/initialized', { _meta: meta }),
  note('notifications/cancelled', { requestId: 7 }),
  note('notifications/cancelled', { _meta: meta, requestId: 7 }),
  note('notifications/progress', { progressToken: 1, progress: 1 }),
  note('unknown'),
  note('unknown', withMeta({ [VERSION]: '2027-01-01' })),
  note('unknown', withMeta({ [VERSION]: 7 })),
  { jsonrpc: '2.0', id: 7, result: {} },
  { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x' } },
  [message('ping', undefined, 1), message('tools/list', undefined, 2)],
  [message('ping', undefined, 1), message('nothing', undefined, 2)],
  [message('ping', undefined, 1), note('notifications/initialized'), message('ping', undefined, 2)],
  [note('notifications/initialized'), note('unknown')],
  [message('ping', { _meta: meta }, 1), message('ping', undefined, 2)],
  [{ jsonrpc: '2.0', id: 7, result: {} }, message('ping', undefined, 1), message('ping')],
];

const heads: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'mcp-protocol-version': '2025-03-26' },
  { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 'whatever' },
  { 'mcp-protocol-version': '2026-07-28' },
  ...['tools/list', 'tools/call', 'ping', 'unknown', ''].map((method) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  })),
  ...['subscriptions/listen', 'server/discover', 'unknown/unknown', 'initialize'].map((method) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  })),
  ...['greet', 'x', 'nothing', '=?base64?Z3JlZXQ=?=', '=?base64?Z3JlZXQ?=', '=?base64?/w==?='].map(
    (name) => ({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }),
  ),
  ...['resources/read', 'prompts/get', 'tasks/get', 'resources/list'].flatMap((method) => [
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'greet' },
  ]),
  { 'mcp-method': 'tools/call', 'mcp-name': 'greet' },
];

/** What is forgiven (contract: What is forgiven), and so answered in another way than by the library. */
function isForgiven(body: unknown, headers: Readonly<Record<string, string>>) {
  const version = headers['mcp-protocol-version'];
  const isOfModern = JSON.stringify(body).includes(VERSION);
  if (version === undefined || version === modernEra.name) {
    return JSON.stringify(body).includes('"initialize"') && version !== undefined;
  }
  return isOfModern;
}

/** The comparable part of an answer; of errors only the codes, since our messages differ. */
async function gist(response: Response) {
  const type = (response.headers.get('content-type') ?? '').split(';')[0];
  const text = await response.text();
  const json = type === 'text/event-stream' ? eventsOf(text) : text;
  const body: unknown = json === '' ? '' : JSON.parse(json);
  const of = (answer: unknown) => {
    const { error, ...rest } = answer as { error?: { code: number } };
    // Of params that do not fit, the library says that it failed itself.
    const code = error?.code === -32_603 ? -32_602 : error?.code;
    // Before a message is processed, the library tells the id of a valid one alone.
    if (code !== undefined && response.status >= 400) return { error: code };
    if (code !== undefined) return { ...rest, error: code };
    return listed(rest);
  };
  const answers = Array.isArray(body) ? body.map(of) : typeof body === 'object' ? of(body) : body;
  return { status: response.status, type, said: answers };
}

const eventsOf = (text: string) =>
  `[${text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
    .join(',')}]`;

/** Drops the further members that our tool definitions have. */
function listed(answer: { result?: { tools?: { name: string }[] } }) {
  const { tools } = answer.result ?? {};
  if (!tools) return answer;
  return { ...answer, result: { ...answer.result, tools: tools.map(({ name }) => name) } };
}

describe('the checks of the library (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(Greeting);
    await server.give('good');
  });
  afterAll(() => server.close());

  const ours = (body: unknown, headers: Readonly<Record<string, string>>) =>
    server.post('good', JSON.stringify(body), headers);
  const theirs = (body: unknown, headers: Readonly<Record<string, string>>) =>
    answerByLibrary(body, {
      Accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    });

  it.each(heads)('are all made under %j', async (headers) => {
    for (const body of bodies.filter((sent) => !isForgiven(sent, headers))) {
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const [our, their] = await Promise.all([ours(sent, headers), theirs(sent, headers)]);
      expect({ body, ...(await gist(our)) }).toEqual({ body, ...(await gist(their)) });
    }
  });

  it('406 | legacy | {"Accept":"text/html"}', async () => {
    const headers = { Accept: 'text/html' };
    const response = await ours(message('ping'), headers);
    expect(await gist(response)).toEqual(await gist(await theirs(message('ping'), headers)));
    expect(response.status).toBe(406);
  });

  it('a call brings what its tool says', async () => {
    const response = await ours(call({ name: 'greet' }), {});
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: GREETING_RESULT });
  });

  it.each([
    [[message('ping', undefined, 1)], [1]],
    [
      [message('ping', undefined, 1), message('ping', undefined, 1)],
      [1, 1],
    ],
    [[message('ping', undefined, 1), note('notifications/cancelled', { requestId: 1 })], [1]],
  ])('a batch brings an array, an answer for each request: %j', async (batch, ids) => {
    const answers = (await (await ours(batch, {})).json()) as { id: unknown }[];
    expect(answers.map(({ id }) => id)).toEqual(ids);
  });
});
