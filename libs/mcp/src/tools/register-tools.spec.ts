import { FirstErrorValidator } from '../tool-validator.js';
import type { McpCaller, ToolRun } from '../call.js';
import type { McpToolOptions } from '../tool.js';
import { registerTools } from '../tool.service.js';
import { ToolError } from '../errors.js';

const SCOPES = ['account:read', 'code:run'];
const OPTIONS: McpToolOptions = {
  name: 'greet',
  title: 'Greet',
  description: 'Says hello.',
  scope: 'account:read',
  inputSchema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
};

const tool = (options: Partial<McpToolOptions>, owner = 'Greeter.greet') => ({
  owner,
  options: { ...OPTIONS, ...options },
  call: (): unknown => 'hello',
});
const register = (...found: ReturnType<typeof tool>[]) =>
  registerTools(found, SCOPES, { validator: new FirstErrorValidator(), prefix: 'page_' });

describe('tool registry', () => {
  const perform = (found: ReturnType<typeof tool>, input: object) =>
    register(found)
      .get('greet')
      ?.perform(input, {} as McpCaller, {} as ToolRun);

  it('finds a tool by its name and checks arguments', async () => {
    const greeted = await perform(tool({}), { to: 'Ann' });
    expect(greeted).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    const misfit = (problem: string) => new ToolError(`These arguments do not fit: ${problem}.`);
    await expect(perform(tool({}), { to: 7 })).rejects.toEqual(misfit('to takes a string'));
    await expect(perform(tool({}), {})).rejects.toEqual(misfit('to is missing; it takes a string'));
  });

  it('checks results only where there is a schema for them', async () => {
    const empty = (options: Partial<McpToolOptions>) => ({ ...tool(options), call: () => ({}) });
    expect(await perform(empty({}), { to: 'Ann' })).toMatchObject({ structuredContent: {} });
    const outputSchema = { type: 'object', required: ['x'] } as const;
    await expect(perform(empty({ outputSchema }), { to: 'Ann' })).rejects.toThrow('x is missing');
  });

  it('keeps the scope out of what clients see', () => {
    const { scope: _scope, ...shown } = OPTIONS;
    expect([...register(tool({})).values()].map(({ definition }) => definition)).toEqual([shown]);
  });

  it.each<[string, ReturnType<typeof tool>[], string]>([
    [
      'two tools of one name',
      [tool({}), tool({}, 'Other.hello')],
      'MCP tool "greet" (Other.hello) has the name of another tool, Greeter.greet',
    ],
    [
      'an unknown scope',
      [tool({ scope: 'all' })],
      'MCP tool "greet" (Greeter.greet) needs the scope "all", which is not one of: account:read, code:run',
    ],
    ['a name with a space', [tool({ name: 'a b' })], 'needs a name'],
    [
      'a name that is for tools of accounts',
      [tool({ name: 'page_greet' })],
      'MCP tool "page_greet" (Greeter.greet) has a name that begins with "page_"',
    ],
    ['an empty name', [tool({ name: '' })], 'needs a name'],
    ['a name that is too long', [tool({ name: 'a'.repeat(129) })], 'needs a name'],
    [
      'a schema that is no object',
      [tool({ inputSchema: { type: 'string' } as never })],
      'type object',
    ],
    [
      'a schema that does not compile',
      [tool({ inputSchema: { type: 'object', $ref: '#/nowhere' } })],
      'has a schema that cannot be used',
    ],
    [
      'an argument of no simple type that wants to be a header',
      [tool({ inputSchema: { type: 'object', properties: { a: { 'x-mcp-header': 'A' } } } })],
      'has a schema that cannot be used: Error: x-mcp-header is a token',
    ],
  ])('refuses %s', (_what, found, words) => {
    expect(() => register(...found)).toThrow(words);
  });
});
