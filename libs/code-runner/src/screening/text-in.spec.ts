import { textIn } from './text-in.js';

describe('textIn', () => {
  it.each([
    ['text', 'text'],
    [null, 'null'],
    [17.5, '17.5'],
    [{}, ''],
    [['a', ['b', { c: 'd', e: [1, true, 'f'] }]], 'a\nb\nc\nd\ne\n1\ntrue\nf'],
    [{ b: { a: 'x' }, y: null }, 'b\na\nx\ny\nnull'],
  ])('%j reads %j', (value, text) => {
    expect(textIn(value)).toBe(text);
  });

  it('sees through the escapes of JSON', () => {
    expect(textIn(JSON.parse('{"\\u0066oo":"\\u0062ar"}'))).toBe('foo\nbar');
  });

  it('sees what is named like a member of every object', () => {
    expect(textIn(JSON.parse('{"__proto__":{"toString":"x"}}'))).toBe('__proto__\ntoString\nx');
  });

  it('goes as deep as it has to', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    expect(textIn(value)).toBe('bottom');
  });
});
