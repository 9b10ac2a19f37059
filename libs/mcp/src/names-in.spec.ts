import { expectScopes } from '#libs/oauth';
import { namesIn } from './features.service.js';

const ALL_SCOPES = ['account:read', 'tabs:write', 'code:run'];

const tools = new Map(
  [
    { name: 'a', scope: 'account:read' },
    { name: 'b', scope: 'account:read' },
    { name: 'run', scope: 'code:run' },
  ].map((each) => [each.name, each]),
);
const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
const authorize = (body: unknown, granted = ALL_SCOPES) => {
  const names = namesIn(body, { method: 'tools/call', parameter: 'name' });
  const called = names.flatMap((name) => tools.get(name) ?? []);
  const needed = called.map(({ scope }) => scope);
  expectScopes(needed, granted, ALL_SCOPES);
  return called.map(({ name }) => name);
};

describe('tools that a message may call are', () => {
  it.each<[string, unknown, string[]]>([
    ['one', call('a'), ['a']],
    ['those of a batch', [call('a'), { method: 'ping' }, call('b')], ['a', 'b']],
    ['one that is called twice', [call('a'), call('a')], ['a']],
    ['none of an unknown name', [call('a'), call('constructor')], ['a']],
    ['none in another method', { ...call('a'), method: 'tools/list' }, []],
    ['none without parameters', { method: 'tools/call' }, []],
    ['none for null parameters', { method: 'tools/call', params: null }, []],
    ['none by a name that is no string', call(['a']), []],
    ['none in null', null, []],
    ['none in a string', 'tools/call', []],
    ['none in a number', 7, []],
    ['none in a batch of anything else', [null, 1, 'x', [call('a')]], []],
  ])('%s', (_what, body, names) => {
    expect(authorize(body)).toEqual(names);
  });

  it.each<[string, unknown]>([
    ['alone', call('run')],
    ['first in a batch', [call('run'), call('a')]],
    ['last in a batch', [call('a'), call('run')]],
  ])('none whose scope was not granted, %s', (_where, body) => {
    expect(() => authorize(body, ['tabs:write', 'account:read'])).toThrow(
      expect.objectContaining({
        status: 403,
        code: 'insufficient_scope',
        message: 'this call needs code:run',
        scopes: ALL_SCOPES,
      }),
    );
  });

  it('none: the refusal asks for every scope that is lacking, and for no other', () => {
    expect(() => authorize([call('run'), call('a')], [])).toThrow(
      expect.objectContaining({
        message: 'this call needs code:run account:read',
        scopes: ['account:read', 'code:run'],
      }),
    );
  });
});
