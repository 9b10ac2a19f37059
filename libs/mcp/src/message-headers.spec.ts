import { Injectable } from '@nestjs/common';
import { headerArgumentsOf, isSameValue, valueInHeader } from './message-headers.js';
import { legacyEra, modernEra } from './testbed/messages.testbed.js';
import { described } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpTool } from './tool.js';

const marked = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const object = (properties: object, further: object = {}) => ({
  type: 'object' as const,
  properties,
  ...further,
});

describe('arguments that are repeated in headers', () => {
  it('are found below properties, at any depth', () => {
    const schema = object({ region: marked('Region'), of: object({ n: marked('N', 'integer') }) });
    expect(headerArgumentsOf(schema)).toEqual([
      { path: ['region'], header: 'mcp-param-region' },
      { path: ['of', 'n'], header: 'mcp-param-n' },
    ]);
    expect(headerArgumentsOf({ type: 'object' })).toEqual([]);
  });

  it.each<[string, ReturnType<typeof object>]>([
    ['no text', object({ a: marked(7) })],
    ['no token', object({ a: marked('a b') })],
    ['a line break', object({ a: marked('a\r\nX: b') })],
    ['an object', object({ a: marked('A', 'object') })],
    ['any number', object({ a: marked('A', 'number') })],
    ['two of one name', object({ a: marked('A'), b: marked('a') })],
    ['one in a list', object({ a: { type: 'array', items: marked('A') } })],
    ['one in a choice', object({}, { anyOf: [object({ a: marked('A') })] })],
    ['one of the whole', object({}, { 'x-mcp-header': 'A' })],
  ])('are none where no request could follow: %s', (_what, schema) => {
    expect(() => headerArgumentsOf(schema)).toThrow('x-mcp-header');
  });

  it.each<[unknown, unknown]>([
    [{ a: { b: 'x' } }, 'x'],
    [{ a: { b: 0 } }, 0],
    [{ a: { b: false } }, false],
    [{ a: { b: null } }, undefined],
    [{ a: { b: {} } }, undefined],
    [{ a: 'b' }, undefined],
    [null, undefined],
  ])('have a value, or none: %j', (input, value) => {
    expect(valueInHeader({ path: ['a', 'b'], header: 'a' }, input)).toBe(value);
  });

  it.each<[string, string | number | boolean, boolean]>([
    ['x', 'x', true],
    ['X', 'x', false],
    ['42.0', 42, true],
    ['42.0', '42', false],
    ['0x2a', 42, false],
    ['', 0, false],
    ['true', true, true],
    ['1', true, false],
  ])('%s says %j: %s', (decoded, value, same) => {
    expect(isSameValue(decoded, value)).toBe(same);
  });
});

@Injectable()
class Regions {
  @McpTool({
    ...described('go'),
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        times: { type: 'integer', 'x-mcp-header': 'Times' },
      },
    },
  })
  go(input: object) {
    return input;
  }
}

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('arguments in headers (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start(Regions);
    await server.give('ann');
  });
  afterAll(() => server.close());

  const call = async (input: object, headers: Record<string, string>, era = modernEra) => {
    const response = await server.post(
      'ann',
      era.message('tools/call', { name: 'go', arguments: input }),
      { ...era.headers('tools/call', 'go'), ...headers },
    );
    const { result, error } = JSON.parse(await response.text());
    return { status: response.status, said: result?.structuredContent, error };
  };

  it.each<[string, object, Record<string, string>]>([
    [
      'as they are',
      { region: 'eu', times: 2 },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Times': '2' },
    ],
    ['in Base64', { region: 'Åland' }, { 'Mcp-Param-Region': base64('Åland') }],
    ['what only looks like it', { region: '=?base64?x' }, { 'Mcp-Param-Region': '=?base64?x' }],
    ['none for what is not there', {}, {}],
    ['one too many', {}, { 'Mcp-Param-Region': 'eu' }],
  ])('are taken: %s', async (_what, input, headers) => {
    expect(await call(input, headers)).toMatchObject({ status: 200, said: input });
  });

  it.each<[string, object, Record<string, string>]>([
    ['none', { region: 'eu' }, {}],
    ['one of two', { region: 'eu', times: 2 }, { 'Mcp-Param-Region': 'eu' }],
    ['another value', { region: 'eu' }, { 'Mcp-Param-Region': 'us' }],
    ['another number', { times: 2 }, { 'Mcp-Param-Times': '2.5' }],
    ['broken Base64', { region: 'eu' }, { 'Mcp-Param-Region': '=?base64?ZXU?=' }],
  ])('400 | the header says something else | %s', async (_what, input, headers) => {
    const { status, error } = await call(input, headers);
    expect(status).toBe(400);
    expect(error.code).toBe(-32_020);
  });

  it('are nothing to clients of 2025', async () => {
    const region = { region: 'eu' };
    const headers = { 'Mcp-Param-Region': 'us' };
    const { said } = await call(region, headers, legacyEra('2025-11-25'));
    expect(said).toEqual(region);
  });
});
