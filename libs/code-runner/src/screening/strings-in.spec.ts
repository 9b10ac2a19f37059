import { stringsIn } from './strings-in.js';

describe('stringsIn', () => {
  it.each([
    ['text', 'text'],
    [null, ''],
    [17, ''],
    [{}, ''],
    [['a', ['b', { c: 'd', e: [1, true, 'f'] }]], 'a\nb\nc\nd\ne\nf'],
    [{ b: { a: 'x' }, y: null }, 'b\na\nx\ny'],
  ])('%j reads %j', (value, text) => {
    expect(stringsIn(value)).toBe(text);
  });

  it('sees through the escapes of JSON', () => {
    expect(stringsIn(JSON.parse('{"\\u0066oo":"\\u0062ar"}'))).toBe('foo\nbar');
  });

  it('sees what is named like a member of every object', () => {
    expect(stringsIn(JSON.parse('{"__proto__":{"toString":"x"}}'))).toBe('__proto__\ntoString\nx');
  });

  it('goes as deep as it has to', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    expect(stringsIn(value)).toBe('bottom');
  });
});
