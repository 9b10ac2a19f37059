import type { McpResourceOptions } from '../resource.js';
import { registerResources } from '../resource.service.js';

const OPTIONS: McpResourceOptions = {
  name: 'note',
  title: 'Note',
  description: 'A note.',
  uri: 'notes://{id}',
  mimeType: 'text/plain',
  scope: 'account:read',
};

const resource = (options: Partial<McpResourceOptions>, owner = 'Notes.read') => ({
  owner,
  options: { ...OPTIONS, ...options },
  call: () => 'text',
});
const register = (...found: ReturnType<typeof resource>[]) =>
  registerResources(found, ['account:read', 'code:run']);

describe('resource registry', () => {
  it('has resources without variables first, so that no template takes their uris', () => {
    const fixed = resource({ name: 'first', uri: 'notes://first' });
    const names = register(resource({}), fixed).map(({ options }) => options.name);
    expect(names).toEqual(['first', 'note']);
  });

  it.each<[string, ReturnType<typeof resource>[], string]>([
    [
      'two of one name',
      [resource({}), resource({ uri: 'other://{id}' }, 'Other.read')],
      'MCP resource "note" (Other.read) has the name of another resource, Notes.read',
    ],
    [
      'two of one uri',
      [resource({}), resource({ name: 'other', uri: 'notes://{key}' }, 'Other.read')],
      'MCP resource "other" (Other.read) has the uri of another resource, Notes.read',
    ],
    [
      'an unknown scope',
      [resource({ scope: 'all' })],
      'needs the scope "all", which is not one of: account:read, code:run',
    ],
    ['a name with a space', [resource({ name: 'a b' })], 'needs a name'],
    ['a uri that is none', [resource({ uri: 'note' })], 'has a uri that cannot be used: it is no'],
    ['an operator', [resource({ uri: 'x://{?q}' })], 'cannot be used: {?q} is no variable'],
    ['a type that is none', [resource({ mimeType: 'text' })], 'needs a MIME type, which "text"'],
  ])('refuses %s', (_what, found, words) => {
    expect(() => register(...found)).toThrow(words);
  });
});
