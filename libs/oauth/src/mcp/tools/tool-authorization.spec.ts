import { calledTools } from './called-tools.js';

const call = (name: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

describe('tools that a message calls', () => {
  it.each<[string, unknown, string[]]>([
    ['one', call('a'), ['a']],
    ['those of a batch', [call('a'), { method: 'ping' }, call('b')], ['a', 'b']],
    ['none in another method', { ...call('a'), method: 'tools/list' }, []],
    ['none without parameters', { method: 'tools/call' }, []],
    ['none for null parameters', { method: 'tools/call', params: null }, []],
    ['none by a name that is no string', call(['a']), []],
    ['none in null', null, []],
    ['none in a string', 'tools/call', []],
    ['none in a number', 7, []],
    ['none in a batch of anything else', [null, 1, 'x', [call('a')]], []],
  ])('%s', (_what, body, names) => {
    expect(calledTools(body)).toEqual(names);
  });
});
