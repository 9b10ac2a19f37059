import { FirstErrorValidator } from './tool-validator.js';

const check = (schema: object, value: unknown) =>
  new FirstErrorValidator().getValidator(schema)(value);

describe('FirstErrorValidator', () => {
  it('takes what fits and says the first thing that does not', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const schema = { type: 'object', properties, additionalProperties: false };
    expect(check(schema, { a: 'x', b: 'y' })).toMatchObject({ valid: true });
    expect(check(schema, { a: 'x', c: 3 })).toMatchObject({
      valid: false,
      errorMessage: 'the arguments take only the properties a and b',
    });
    expect(check(schema, { a: 1, b: 2, c: 3 })).toMatchObject({
      valid: false,
      errorMessage: 'a takes a string',
    });
  });

  it('has little to say about a hundred thousand wrong values', () => {
    const nothing = { type: 'object', additionalProperties: false };
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a${n}`, n]));
    const strings = { type: 'object', properties: { list: { items: { type: 'string' } } } };
    const numbers = { list: Array.from({ length: 100_000 }, (_, n) => n) };
    for (const [schema, value] of [[nothing, unknown] as const, [strings, numbers] as const]) {
      expect(check(schema, value).errorMessage?.length).toBeLessThan(100);
    }
  });

  it.each([
    [undefined, { prefixItems: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-06/schema#', { contains: { type: 'string' } }],
  ])('reads a schema of %s as that', (dialect, keywords) => {
    const schema = { ...(dialect === undefined ? {} : { $schema: dialect }), ...keywords };
    expect(check(schema, ['x'])).toMatchObject({ valid: true });
    expect(check(schema, [1])).toMatchObject({ valid: false });
  });

  it('minds formats', () => {
    expect(check({ format: 'date-time' }, '2026-07-28T00:00:00Z').valid).toBe(true);
    expect(check({ format: 'date-time' }, 'tomorrow').valid).toBe(false);
  });

  it('refuses a dialect that it does not know', () => {
    expect(() => check({ $schema: 'http://json-schema.org/draft-04/schema#' }, 1)).toThrow(
      'its $schema is none of',
    );
  });
});
