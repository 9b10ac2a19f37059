import { Injectable } from '@nestjs/common';
import { countJson } from '#libs/platform';
import { bearer } from '../../oauth/src/testbed/protected-resource.testbed.js';
import { described, toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { MCP_ERAS, type McpEra } from './testbed/messages.testbed.js';
import type { McpCaller } from './call.js';
import { McpTool } from './tool.js';

const UNLIMITED = { members: Infinity, elements: Infinity, levels: Infinity };
const countsOf = (message: unknown) => countJson(Buffer.from(JSON.stringify(message)), UNLIMITED);
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, n]));
const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);

@Injectable()
class Counting {
  @McpTool(toolOf('count'))
  count(input: object, _caller: McpCaller) {
    return { members: Object.keys(input).length };
  }

  @McpTool({
    ...described('strict'),
    inputSchema: { type: 'object', additionalProperties: { type: 'number' } },
  })
  strict(_input: object, _caller: McpCaller) {
    return {};
  }
}

describe.each(MCP_ERAS)('limits of a body in $name (contract: MCP endpoint)', (era: McpEra) => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(Counting);
    await server.give('good');
  });
  afterAll(() => server.close());

  const list = (extra: object = {}) => era.message('tools/list', extra);
  const callOf = (name: string, input: unknown) =>
    era.message('tools/call', { name, arguments: input });
  const post = (message: object | string, tool?: string) =>
    server.post(
      'good',
      message,
      era.headers(tool === undefined ? 'tools/list' : 'tools/call', tool),
    );

  /** A message with exactly this number of members, elements or levels, from a value at `place`. */
  const places: [string, (content: unknown) => object, string | undefined][] = [
    [
      'its _meta',
      (content) => list({ _meta: { ...era.meta, 'example.org/x': content } }),
      undefined,
    ],
    ['its arguments', (content) => callOf('count', { content }), 'count'],
  ];

  describe.each(places)('in %s', (_place, messageWith, tool) => {
    const { levels } = countsOf(messageWith(nested(50)));
    const base = { ...countsOf(messageWith(0)), levels: levels - 50 };
    const kinds: [string, number, (count: number) => unknown][] = [
      ['members', 10_000, (count) => members(count - base.members)],
      ['elements', 100_000, (count) => Array(count - base.elements).fill(0)],
      ['levels', 100, (count) => nested(count - base.levels)],
    ];

    it.each(kinds)('takes %s up to %i, and refuses more', async (kind, most, contentOf) => {
      const just = messageWith(contentOf(most));
      expect(countsOf(just)).toMatchObject({ [kind]: most });
      expect((await post(just, tool)).status).toBe(200);
      const refused = await post(messageWith(contentOf(most + 1)), tool);
      expect(refused.status).toBe(400);
      expect(refused.headers.get('content-type')).toContain('application/json');
      expect(await refused.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: expect.stringContaining(`more than ${most} `) },
      });
    });
  });

  it('takes 512 KiB, and refuses more', async () => {
    const text = JSON.stringify(list());
    expect((await post(text.padEnd(524_288))).status).toBe(200);
    const refused = await post(text.padEnd(524_289));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000 },
    });
    expect((await post(text)).status).toBe(200);
  });

  it('counts before it parses', async () => {
    const response = await post(`{"no":${'['.repeat(101)}`);
    expect(await response.json()).toMatchObject({ error: { code: -32_600 } });
  });

  it('passes all arguments on', async () => {
    const response = await post(callOf('count', members(9_000)), 'count');
    expect(await response.json()).toMatchObject({
      result: { structuredContent: { members: 9_000 } },
    });
  });

  it.each<[string, object]>([
    ['unknown parameters', list({ x: Array(1_001).fill(0) })],
    [
      'an initialization',
      era.message('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1', icons: Array(90_000).fill(0) },
      }),
    ],
    ['names of the protocol in _meta', list({ _meta: { ...era.meta, ...reserved(1_001) } })],
  ])('refuses more than 1,000 values in %s', async (_what, message) => {
    const response = await post(message);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      id: 7,
      error: { code: -32_600, message: expect.stringContaining('at most 1000 values') },
    });
  });

  it.each<[string, object, string | undefined]>([
    [
      'wrong arguments',
      callOf(
        'strict',
        Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`${'n'.repeat(40)}${n}`, 'x'])),
      ),
      'strict',
    ],
    [
      'wrong values of the message',
      list({
        cursor: Array(900).fill(0),
        _meta: { ...era.meta, progressToken: Array(90).fill({}) },
      }),
      undefined,
    ],
    ['a call of an array', callOf('strict', Array(900).fill(0)), 'strict'],
    ['a method without end', era.message('m'.repeat(100_000)), undefined],
  ])('says little about %s', async (_what, message, tool) => {
    const response = await post(message, tool);
    expect(response.status).toBeLessThan(500);
    expect((await response.text()).length).toBeLessThan(2_000);
  });

  it('refuses other types and methods in JSON-RPC too', async () => {
    const response = await server.post('good', list(), { 'Content-Type': 'text/plain' });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null });
    const headers = { Authorization: bearer('good') };
    const got = await server.fetch('/svc/mcp', { headers });
    expect(got.status).toBe(405);
    expect(await got.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  });
});

function reserved(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`io.modelcontextprotocol/${n}`, 0]),
  );
}
