import { expectNamesAndScopes } from './method-discovery.service.js';

const SCOPES = ['account:read', 'code:run'];

const method = (options: { name?: string; scope?: string }, owner = 'Greeter.greet') => ({
  owner,
  options: { name: 'greet', scope: 'account:read', ...options },
});

describe('names and scopes of tools, resources and prompts', () => {
  it('may be any of the application', () => {
    const found = [method({}), method({ name: 'a-Z_0.9', scope: 'code:run' })];
    expect(() => expectNamesAndScopes('tool', found, SCOPES)).not.toThrow();
  });

  it.each<[string, ReturnType<typeof method>[], string]>([
    [
      'two of one name',
      [method({}), method({}, 'Other.hello')],
      'MCP tool "greet" (Other.hello) has the name of another tool, Greeter.greet',
    ],
    [
      'an unknown scope',
      [method({ scope: 'all' })],
      'MCP tool "greet" (Greeter.greet) needs the scope "all", which is not one of: account:read, code:run',
    ],
    ['a name with a space', [method({ name: 'a b' })], 'needs a name'],
    ['an empty name', [method({ name: '' })], 'needs a name'],
    ['a name that is too long', [method({ name: 'a'.repeat(129) })], 'needs a name'],
  ])('are refused: %s', (_what, found, words) => {
    expect(() => expectNamesAndScopes('tool', found, SCOPES)).toThrow(words);
  });
});
