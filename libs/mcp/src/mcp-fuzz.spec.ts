import { gzipSync } from 'node:zlib';
import { bearer } from '../../oauth/src/testbed/protected-resource.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const MODERN = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

describe('malformed input at the MCP endpoint', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start();
    await server.give('good');
  });
  afterAll(() => server.close());

  const raw = (
    body: RequestInit['body'],
    headers: Record<string, string> = {},
    path = '/svc/mcp',
  ) =>
    server.fetch(path, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(30_000),
      headers: {
        Authorization: bearer('good'),
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...headers,
      },
    });

  const bodies: [string, unknown][] = [
    ['nothing', ''],
    ['null', null],
    ['a number', 7],
    ['a string', '"tools/list"'],
    ['half of it', '{"jsonrpc":"2.0","id":1,'],
    ['an empty object', {}],
    ['an empty batch', []],
    ['a batch of anything', [null, 1, 'x', [], {}]],
    ['a batch in a batch', [[PING]]],
    ['a batch of 101', Array.from({ length: 101 }, (_, id) => ({ ...PING, id }))],
    ['a batch with one id twice', [PING, PING]],
    [
      'a batch that cancels itself',
      [PING, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ],
    [
      'two initializations',
      [
        { ...PING, method: 'initialize' },
        { ...PING, method: 'initialize' },
      ],
    ],
    ['an initialization without parameters', { ...PING, method: 'initialize' }],
    ['another version', { ...PING, jsonrpc: '1.0' }],
    ['no version', { id: 1, method: 'ping' }],
    ['an id that is an object', { ...PING, id: {} }],
    ['an id that is null', { ...PING, id: null }],
    ['a method that is a number', { ...PING, method: 7 }],
    ['an unknown method', { ...PING, method: 'unknown/unknown' }],
    ['a method of every object', { ...PING, method: 'constructor' }],
    ['a method that is not served', { ...PING, method: 'resources/list' }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'unknown' }],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
    ['a call without parameters', { ...PING, method: 'tools/call' }],
    ['a call of nothing', call({})],
    ['a call of a number', call({ name: 7 })],
    ['a call with an array for arguments', call({ name: 'x', arguments: [] })],
    ['a call with a number for metadata', call({ name: 'x', _meta: 7 })],
    ['a prototype', '{"__proto__":{"method":"tools/call"},"constructor":{"prototype":{}}}'],
    ['arrays without end', deep('[', ']')],
    ['objects without end', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      'arguments without end',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${deep('[', ']')}}}}`,
    ],
    [
      'metadata without end',
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":${deep('[', ']')}}}}`,
    ],
    ['an id of many digits', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}'],
  ];

  it.each(bodies)('%s gets an answer in either era', async (_what, message) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    for (const headers of [{}, MODERN]) {
      const response = await raw(body, headers);
      expect(response.status).toBeLessThan(500);
      await response.text();
    }
  });

  it.each<[string, NonNullable<RequestInit['body']>, string | undefined, number]>([
    ['a form', new URLSearchParams({ access_token: 'good' }), undefined, 415],
    ['text', JSON.stringify(PING), 'text/plain', 415],
    ['JSON with parameters', JSON.stringify(PING), 'application/json; charset=utf-8', 200],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 400],
    ['a compressed body', gzipSync(JSON.stringify(PING)), 'application/json', 400],
    ['just 512 KiB', JSON.stringify(PING).padEnd(524_288), 'application/json', 200],
    ['over 512 KiB', ' '.repeat(524_289), 'application/json', 413],
  ])('%s', async (_what, body, type, status) => {
    const headers: Record<string, string> =
      type === undefined
        ? { 'Content-Type': 'application/x-www-form-urlencoded' }
        : { 'Content-Type': type };
    const response = await raw(body, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('says in JSON-RPC that a body is not JSON', async () => {
    expect(await (await raw('{')).json()).toMatchObject({ id: null, error: { code: -32_700 } });
  });

  it.each([
    [{ Accept: '*/*' }, 200],
    [{ Accept: 'application/json' }, 200],
    [{ Accept: 'text/html' }, 406],
    [{ 'Mcp-Protocol-Version': '1999-01-01' }, 400],
    [{ 'Mcp-Session-Id': 'whatever' }, 200],
    [MODERN, 400],
  ])('minds %j', async (headers, status) => {
    expect((await raw(JSON.stringify(PING), headers)).status).toBe(status);
  });

  it.each(['/svc/mcp/%', '/svc/mcp/%ff', '/svc/mcp/%00'])('survives the path %s', async (path) => {
    expect((await raw(JSON.stringify(PING), {}, path)).status).toBeLessThan(500);
  });
});
