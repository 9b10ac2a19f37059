import { headerArgumentsOf, saysTheSame, valueInHeader } from '../message-headers.js';

const text = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const object = (properties: object, further: object = {}) => ({
  type: 'object' as const,
  properties,
  ...further,
});

describe('arguments that are repeated in headers', () => {
  it('are found below properties, at any depth', () => {
    const schema = object({ region: text('Region'), of: object({ n: text('N', 'integer') }) });
    expect(headerArgumentsOf(schema)).toEqual([
      { path: ['region'], header: 'mcp-param-region' },
      { path: ['of', 'n'], header: 'mcp-param-n' },
    ]);
    expect(headerArgumentsOf({ type: 'object' })).toEqual([]);
  });

  it.each<[string, ReturnType<typeof object>]>([
    ['no text', object({ a: text(7) })],
    ['no token', object({ a: text('a b') })],
    ['a line break', object({ a: text('a\r\nX: b') })],
    ['an object', object({ a: text('A', 'object') })],
    ['any number', object({ a: text('A', 'number') })],
    ['two of one name', object({ a: text('A'), b: text('a') })],
    ['one in a list', object({ a: { type: 'array', items: text('A') } })],
    ['one in a choice', object({}, { anyOf: [object({ a: text('A') })] })],
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
    expect(saysTheSame(decoded, value)).toBe(same);
  });
});
