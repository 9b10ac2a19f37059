import * as fc from 'fast-check';
import { isJsonObject, type JsonObject, mismatchIn } from '#libs/platform';
import { ANY_JSON, checkedSchemaOf } from './any-json.js';
import { listedSchema } from './model-schema.js';

const ARGUMENTS = { type: 'object' };

function listed(schema: object): JsonObject {
  const listing = listedSchema(schema as JsonObject);
  if ('reason' in listing) throw new Error(listing.reason);
  return listing.schema;
}
/** A schema in the place of a property. */
const part = (schema: unknown, rest = {}) =>
  (listed({ ...ARGUMENTS, ...rest, properties: { a: schema } })['properties'] as JsonObject)['a'];
const reasonOf = (schema: object) => {
  const listing = listedSchema(schema as JsonObject);
  return 'reason' in listing ? listing.reason : undefined;
};
const DRAFT_07 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const ODD = 'a name';
const text = { type: 'string' };
const whole = { type: 'integer' };

describe('a schema for models', () => {
  it.each<[string, unknown, unknown]>([
    ['one type', text, text],
    ['a list of one type', { type: ['string'], minLength: 1 }, { type: 'string', minLength: 1 }],
    [
      'a list of types | each with what it checks',
      { type: ['string', 'array', 'null'], minLength: 1, maxItems: 2, title: 'A' },
      {
        title: 'A',
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: ANY_JSON, maxItems: 2 },
          { type: 'null' },
        ],
      },
    ],
    [
      'a list of types | each with its values',
      { type: ['string', 'integer', 'null'], enum: ['x', 1, 2] },
      {
        anyOf: [
          { type: 'string', enum: ['x'] },
          { type: 'integer', enum: [1, 2] },
        ],
      },
    ],
    ['no type | values', { enum: ['x', 'y'] }, { type: 'string', enum: ['x', 'y'] }],
    ['no type | a value', { const: null, title: 'A' }, { type: 'null', const: null, title: 'A' }],
    ['no type | nothing said', { title: 'A' }, { title: 'A', ...ANY_JSON }],
    [
      'no type | something said of one',
      { minimum: 1 },
      {
        anyOf: [
          { type: 'object' },
          { type: 'array', items: ANY_JSON },
          { type: 'string' },
          { type: 'number', minimum: 1 },
          { type: 'boolean' },
          { type: 'null' },
        ],
      },
    ],
    ['true', true, ANY_JSON],
    ['false', false, undefined],
    ['an array without items', { type: 'array' }, { type: 'array', items: ANY_JSON }],
    ['items true', { type: 'array', items: true }, { type: 'array', items: ANY_JSON }],
    [
      'items false',
      { type: 'array', items: false },
      { type: 'array', items: ANY_JSON, maxItems: 0 },
    ],
    [
      'a tuple | open',
      { type: 'array', prefixItems: [text, whole] },
      { type: 'array', items: { anyOf: [text, whole, ANY_JSON] } },
    ],
    [
      'a tuple | closed',
      { type: 'array', prefixItems: [text, whole], items: false },
      { type: 'array', items: { anyOf: [text, whole] }, maxItems: 2 },
    ],
    [
      'a tuple | with more of one kind',
      { type: 'array', prefixItems: [text], items: whole },
      { type: 'array', items: { anyOf: [text, whole] } },
    ],
    ['oneOf', { oneOf: [text, whole, false] }, { anyOf: [text, whole] }],
    [
      'a choice in one type',
      { type: 'object', anyOf: [{ required: ['b'] }, { maxProperties: 2 }] },
      {
        type: 'object',
        anyOf: [
          { type: 'object', properties: { b: ANY_JSON }, required: ['b'] },
          { type: 'object', maxProperties: 2 },
        ],
      },
    ],
    [
      'conditions',
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { ...text, not: { const: 'x' }, if: { minLength: 2 }, then: false, else: true },
      text,
    ],
    [
      'names | those that fit, and no word of others',
      {
        type: 'object',
        properties: { ok: text, [ODD]: text, ['x'.repeat(65)]: text, '': text, 'a.b-c_1': text },
        additionalProperties: false,
      },
      { type: 'object', properties: { ok: text, 'a.b-c_1': text } },
    ],
    [
      'names | all fit',
      { type: 'object', properties: { ok: text }, additionalProperties: false },
      { type: 'object', properties: { ok: text }, additionalProperties: false },
    ],
    ['any JSON of ours', ANY_JSON, ANY_JSON],
  ])('%s', (_what, schema, shown) => {
    expect(part(schema)).toEqual(shown);
  });

  it('keeps tuples of draft-07, and ignores beside a $ref what it does', () => {
    const tuple = { type: 'array', items: [text, whole], additionalItems: false };
    expect(part(tuple, DRAFT_07)).toEqual({
      type: 'array',
      items: { anyOf: [text, whole] },
      maxItems: 2,
    });
    const defs = { ...DRAFT_07, definitions: { b: text } };
    expect(part({ $ref: '#/definitions/b', title: 'A', minLength: 9 }, defs)).toEqual({
      title: 'A',
      anyOf: [{ $ref: '#/$defs/b' }],
    });
    expect(part({ type: 'array', prefixItems: [text] }, DRAFT_07)).toEqual({
      type: 'array',
      items: ANY_JSON,
    });
  });

  it('has what references lead to in $defs, once; circles stay', () => {
    const tree = { ...ARGUMENTS, properties: { in: { $ref: '#/properties/a/items' } } };
    const schema = {
      ...ARGUMENTS,
      $id: 'https://page.test/',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        a: { type: 'array', items: tree },
        b: { $ref: '#/properties/a/items' },
        c: { $ref: '#named', minLength: 2 },
        d: { $ref: '#/$defs/never' },
        e: { $ref: '#/$defs/odd%20name/items' },
        f: { $ref: '#' },
      },
      $defs: {
        x: { ...text, $anchor: 'named' },
        never: false,
        unused: { type: ['a'] },
        'odd name': { type: 'array', items: whole },
      },
    };
    const shown = listed(schema);
    const items = { ...ARGUMENTS, properties: { in: { $ref: '#/$defs/items' } } };
    const { f, ...properties } = shown['properties'] as JsonObject;
    expect(properties).toEqual({
      a: { type: 'array', items },
      b: { $ref: '#/$defs/items' },
      c: { minLength: 2, anyOf: [{ $ref: '#/$defs/named' }] },
      d: { $ref: '#/$defs/never' },
      e: { $ref: '#/$defs/items.3' },
    });
    expect(shown['$defs']).toMatchObject({
      items,
      named: text,
      never: ANY_JSON,
      'items.3': whole,
      part: { properties: { f } },
    });
    expect(Object.keys(shown)).toEqual(['type', 'properties', '$defs']);
  });

  it('has members of Object.prototype as any other', () => {
    const { properties } = listed(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"$ref":"#/$defs/__proto__"},"constructor":true},' +
          '"required":["constructor"],"$defs":{"__proto__":{"type":["null"]}}}',
      ) as object,
    );
    expect(JSON.stringify(properties)).toMatch('{"__proto__":{"$ref":"#/$defs/__proto__"},"constr');
    expect(reasonOf({ ...ARGUMENTS, $ref: '#/constructor' })).toMatch('$ref to what is not in it');
  });
});

describe('the root of a schema for models', () => {
  const ab = { properties: { a: text, b: text, c: whole }, required: ['a', 'c'] };
  const ac = { properties: { a: text, b: whole, d: text }, required: ['a'] };
  const rest = { ...ARGUMENTS, title: 'Root', additionalProperties: false };

  it.each(['anyOf', 'oneOf'])('%s | has what all alternatives say', (choice) => {
    const own = { properties: { e: text }, required: ['e'] };
    expect(listed({ ...rest, ...own, [choice]: [ab, ac, false] })).toEqual({
      ...ARGUMENTS,
      title: 'Root',
      properties: { a: text, b: ANY_JSON, c: ANY_JSON, d: ANY_JSON, e: text },
      required: ['e', 'a'],
    });
  });

  it('allOf | has what any part says', () => {
    expect(listed({ ...rest, allOf: [ab, ac, true] })).toMatchObject({
      properties: { a: text, b: ANY_JSON, c: whole, d: text },
      required: ['a', 'c'],
    });
  });

  it('$ref | has what it leads to, even in a circle', () => {
    const $defs = { x: { ...ab, allOf: [{ $ref: '#/$defs/y' }] }, y: { $ref: '#/$defs/x' } };
    expect(listed({ ...rest, $ref: '#/$defs/x', $defs })).toEqual({
      ...ARGUMENTS,
      title: 'Root',
      ...ab,
    });
  });

  it('keeps the words of what it leaves open', () => {
    const one = { properties: { a: { ...text, description: 'Red.' } } };
    expect(listed({ ...rest, anyOf: [one, {}] })['properties']).toEqual({
      a: { ...ANY_JSON, description: 'Red.' },
    });
  });

  it('needs names of others where all alternatives do', () => {
    const odd = { properties: { [ODD]: text }, required: [ODD] };
    expect(listed({ ...rest, anyOf: [odd, {}] })).toMatchObject({ properties: {}, required: [] });
    expect(reasonOf({ ...rest, anyOf: [odd, odd] })).toMatch('requires the property "a name"');
  });
});

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const named = (count: number, of: (at: number) => unknown) =>
  Object.fromEntries(range(count).map((at) => [`a${at}`, of(at)]));

describe('a schema that cannot be listed', () => {
  it.each<[string, object, string]>([
    [
      'requires a name that models do not take',
      { properties: { a: { type: 'array', items: { ...ARGUMENTS, required: [ODD] } } } },
      'it requires the property "a name"; models take names of 1 to 64 of A-Za-z0-9_.-',
    ],
    ['has a $ref to elsewhere', { properties: { a: { $ref: 'x' } } }, '$ref to what is not in it'],
    ['has a base of its own inside', { properties: { a: { $id: 'x' } } }, '$id below its root'],
    [
      'repeats too much',
      {
        properties: {
          a: range(90).reduce<object>((inner, at) => ({ $anchor: `b${at}`, items: inner }), text),
          ...named(90, (at) => ({ $ref: `#b${at}` })),
        },
      },
      '64 KiB longer',
    ],
    ['is open in too many places', { properties: named(800, () => true) }, '64 KiB longer'],
    [
      'has too many alternatives',
      {
        $ref: '#/$defs/a0',
        $defs: named(200, (at) => ({
          properties: { [`b${at}`]: true },
          allOf: [{ $ref: `#/$defs/a${(at + 1) % 200}` }],
        })),
      },
      '64 KiB longer',
    ],
  ])('%s', (_what, schema, reason) => {
    expect(reasonOf({ ...ARGUMENTS, ...schema })).toContain(reason);
  });

  it('is not one that branches exponentially, or has many values', () => {
    const next = (at: number) => ({ $ref: `#/$defs/a${(at + 1) % 60}` });
    const $defs = named(60, (at) => ({ anyOf: [next(at), next(at)], oneOf: [next(at), next(at)] }));
    const { properties } = listed({ ...ARGUMENTS, $ref: '#/$defs/a0', $defs });
    expect(properties).toEqual({});
    const inside = listed({ ...ARGUMENTS, properties: { a: next(0) }, $defs });
    expect(Object.keys(inside['$defs'] as object)).toHaveLength(60);
    expect(part({ enum: range(2_000) })).toEqual({ type: 'number', enum: range(2_000) });
  });
});

const name = fc.constantFrom('a', 'b', 'c', ODD, '__proto__');
const scalar = fc.constantFrom<unknown>('', 'ab', 0, 3, 1.5, true, null);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const root = fc.dictionary(name, value, { maxKeys: 4 });
const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
const reference = fc.constantFrom('#', '#/$defs/x', '#/$defs/y', '#/properties/a', '#anchor');

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  const keywords = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { minLength: 1, maxLength: 4 }),
      const: value,
      properties: fc.dictionary(name, inner, { maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', '__proto__'), { maxLength: 2 }),
      additionalProperties: inner,
      patternProperties: fc.dictionary(fc.constantFrom('a', '^b$'), inner, { maxKeys: 1 }),
      dependentSchemas: fc.dictionary(name, inner, { maxKeys: 1 }),
      propertyNames: inner,
      maxProperties: fc.nat(3),
      prefixItems: some,
      items: inner,
      contains: inner,
      maxItems: fc.nat(3),
      minItems: fc.nat(2),
      minLength: fc.nat(2),
      minimum: fc.nat(2),
      anyOf: some,
      oneOf: some,
      allOf: some,
      not: inner,
      if: inner,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: inner,
      else: inner,
      $ref: reference,
      title: fc.constant('A'),
    },
    { requiredKeys: [] },
  );
  // Of all keywords, a few.
  const few = fc
    .tuple(keywords, fc.array(fc.nat(25), { maxLength: 3 }))
    .map(([all, chosen]) =>
      Object.fromEntries(Object.entries(all).filter((_, at) => chosen.includes(at))),
    );
  return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), few) };
});

/** Whether a value fits; undefined where a circle leads to no end. */
function fits(schema: JsonObject, instance: unknown): boolean | undefined {
  try {
    return mismatchIn(schema, instance) === undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether a page or a team may use the schema at all: not one with a `$ref` to what is not in it. */
function isTaken(schema: JsonObject): boolean {
  try {
    mismatchIn(schema, {});
    return true;
  } catch (error) {
    return error instanceof RangeError;
  }
}

describe('what a schema accepts', () => {
  it('is accepted as it is listed, with any JSON as it is checked', () => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(
        fc.tuple(anySchema, anySchema, anySchema),
        fc.array(root, { minLength: 30, maxLength: 30 }),
        ([given, x, y], values) => {
          const base = isJsonObject(given) ? given : {};
          const $defs = { x, y, z: { $anchor: 'anchor', type: 'object' } };
          const schema = { properties: { a: x }, ...base, type: 'object', $defs };
          if (!isTaken(schema)) return;
          const listing = listedSchema(schema);
          if ('reason' in listing) return;
          const shown = checkedSchemaOf(listing.schema);
          for (const instance of values) {
            if (fits(schema, instance) !== true) {
              refused += 1;
              continue;
            }
            accepted += 1;
            expect({ instance, fits: fits(shown, instance) ?? true }).toEqual({
              instance,
              fits: true,
            });
          }
        },
      ),
      { numRuns: 600 },
    );
    expect(accepted).toBeGreaterThan(1_000);
    expect(refused).toBeGreaterThan(1_000);
  });
});
