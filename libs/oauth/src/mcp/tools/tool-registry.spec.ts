import { FirstErrorValidator } from './first-error-validator.js';
import type { McpToolOptions } from './mcp-tool.js';
import { definitionOf, registerTools } from './tool-registry.js';

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
  call: () => 'hello',
});
const register = (...found: ReturnType<typeof tool>[]) =>
  registerTools(found, SCOPES, { validator: new FirstErrorValidator(), prefix: 'page_' });

describe('tool registry', () => {
  it('finds a tool by its name and checks arguments', () => {
    const greet = register(tool({})).get('greet');
    expect(greet?.checkInput({ to: 'Ann' })).toBeUndefined();
    expect(greet?.checkInput({ to: 7 })).toBe('to takes a string');
    expect(greet?.checkInput({})).toBe('to is missing; it takes a string');
  });

  it('checks results only where there is a schema for them', () => {
    const schema = { type: 'object', required: ['x'] } as const;
    const tools = register(tool({}), tool({ name: 'b', outputSchema: schema }));
    expect(tools.get('greet')?.checkOutput({})).toBeUndefined();
    expect(tools.get('b')?.checkOutput({})).toContain('x is missing');
  });

  it('keeps the scope out of what clients see', () => {
    const { scope: _scope, ...shown } = OPTIONS;
    expect([...register(tool({})).values()].map((each) => definitionOf(each))).toEqual([shown]);
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
