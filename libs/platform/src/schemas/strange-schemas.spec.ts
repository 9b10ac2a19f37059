import * as fc from 'fast-check';
import type { JsonObject } from '../json.js';
import { SchemaChecks } from './schema-checks.service.js';

const ENDED = /^checking them takes too (long|much memory)/;

let checks: SchemaChecks;
let pages = 0;
/** Each for a page of its own, as one whose check was ended gets no other. */
const mismatchIn = (schema: JsonObject, value: unknown) => {
  pages += 1;
  return checks.mismatch({ account: `a${pages}`, id: 'page' }, schema, value);
};
const schemaFault = async (schema: JsonObject) => {
  pages += 1;
  return (await checks.faultAmong({ account: `a${pages}`, id: 'page' }, [schema])).fault;
};

beforeAll(() => {
  checks = new SchemaChecks();
});
afterAll(() => checks.onModuleDestroy());

const object = (rest: JsonObject): JsonObject => ({ type: 'object', ...rest });
const property = (a: unknown) => object({ properties: { a } });
const parse = (text: string) => JSON.parse(text) as JsonObject;

/** Each leads to the next twice: 2 to the 60th ways. */
const doubling = (keyword: string, last: object = { type: 'string' }) => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => {
      const next = { $ref: `#/$defs/s${at + 1}` };
      return [`s${at}`, { [keyword]: [next, next] }];
    }),
  );
  return { $defs: { ...$defs, s60: last }, $ref: '#/$defs/s0' };
};

describe('a hostile schema', () => {
  const texts = Array.from({ length: 10_000 }, (_, at) => `x${at}`);
  const members = Object.fromEntries(texts.slice(0, 9_000).map((text) => [text, []]));

  it.each<[string, JsonObject, unknown]>([
    ['that doubles by allOf', doubling('allOf'), 'x'],
    ['that doubles by anyOf', doubling('anyOf'), 1],
    ['that doubles by oneOf', doubling('oneOf'), 'x'],
    [
      'that counts much again and again',
      { $defs: doubling('allOf', { maxProperties: 99_999 }).$defs, $ref: '#/$defs/s0' },
      members,
    ],
    [
      'that reads much again and again',
      doubling('allOf', { maxLength: 999_999 }),
      'x'.repeat(400_000),
    ],
    ['that compares much again and again', doubling('allOf', { not: { const: 1 } }), texts],
    [
      'of many conditions',
      doubling('allOf', {
        dependentRequired: Object.fromEntries(texts.slice(0, 600).map((x) => [x, []])),
      }),
      {},
    ],
    [
      'of many options for many elements',
      { items: { anyOf: Array.from({ length: 500 }, (_, at) => ({ const: `x${at + 9_500}` })) } },
      texts.map(() => 'x9999'),
    ],
  ])('%s is given up on, while the process goes on', async (_what, schema, value) => {
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 1);
    const mismatch = await mismatchIn(schema, value);
    clearInterval(turn);
    expect(mismatch).toMatch(ENDED);
    expect(turns).toBeGreaterThan(2);
  });

  it.each<[string, JsonObject, unknown]>([
    ['of long patterns for many elements', { items: { pattern: '(?:x?){900}' } }, texts],
    [
      'of many patterns',
      { patternProperties: Object.fromEntries(texts.slice(0, 600).map((x) => [`${x}{900}`, {}])) },
      { a: 1 },
    ],
    [
      'of classes of many characters',
      {
        anyOf: Array.from({ length: 16 }, (_, at) => ({
          pattern: `[${String.raw`\p{L}`.repeat(95)}]${at}`,
        })),
      },
      'a',
    ],
    ['that leads to itself', object({ $ref: '#' }), {}],
    [
      'that leads in a circle',
      { $defs: { a: { $ref: '#b' }, b: { $anchor: 'b', $ref: '#/$defs/a' } }, $ref: '#b' },
      {},
    ],
    ['that makes others go back', { pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`],
    ['that asks for distinct elements', { uniqueItems: true }, [...texts, 'x1']],
    ['whose options are long', { enum: texts.slice(0, 1_000) }, 'x'.repeat(50_000)],
    ['that is nested', { items: { items: { items: { type: 'null' } } } }, [[['x']]]],
    ['whose addresses are long', { format: 'email' }, `${'a.'.repeat(1_000)}@`],
  ])('%s is answered, or given up on', async (_what, schema, value) => {
    expect((await mismatchIn(schema, value)) ?? 'takes it').toMatch(/take/);
  });

  it('minds members that are named like those of every object', async () => {
    const schema = parse(
      '{"properties":{"__proto__":{"type":"string"}},"required":["toString"],"additionalProperties":false}',
    );
    expect(await mismatchIn(schema, {})).toBe('toString is missing; it takes something else');
    expect(await mismatchIn(schema, parse('{"toString":1,"__proto__":1}'))).toBe(
      '__proto__ takes a string',
    );
    expect(
      await mismatchIn(parse('{"additionalProperties":false}'), parse('{"__proto__":1}')),
    ).toBe('the arguments take no properties');
    expect(await mismatchIn({ $ref: '#/constructor/name' }, {})).toMatch(/cannot be used/);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a pattern that the engine has no part for', () => {
  const ahead = { pattern: '^(?=a)' };

  it.each<[string, JsonObject, unknown]>([
    ['holds', property(ahead), { a: 'b' }],
    ['does not hold against anything', property({ not: ahead }), { a: 'b' }],
    [
      'decides nothing among several',
      property({ oneOf: [ahead, { pattern: '(?!b)' }] }),
      { a: 'b' },
    ],
    ['counts nothing', property({ contains: ahead, maxContains: 1 }), { a: ['b', 'c'] }],
  ])('%s', async (_what, schema, value) => {
    expect(await mismatchIn(schema, value)).toBeUndefined();
  });

  it.each<[string, JsonObject, unknown]>([
    [
      'both of its consequences do',
      property(parse('{"if":{"pattern":"^(?=a)"},"then":false,"else":false}')),
      { a: 'b' },
    ],
    [
      'the member is refused whether it is counted or not',
      { patternProperties: { '^(?=a)': false }, additionalProperties: false },
      { b: 1 },
    ],
  ])('refuses where %s', async (_what, schema, value) => {
    expect(await mismatchIn(schema, value)).toMatch(/takes? no/);
  });

  it('is looked at where it is long', async () => {
    expect(await mismatchIn(property({ pattern: 'x'.repeat(600) }), { a: 'b' })).toMatch(
      /^a takes/,
    );
  });

  it('keeps nothing else from being minded', async () => {
    expect(await mismatchIn(property({ ...ahead, maxLength: 2 }), { a: 'bbb' })).toMatch(
      /^a takes/,
    );
    expect(await mismatchIn(property({ oneOf: [ahead, {}, {}] }), { a: 'b' })).toMatch(/^a takes/);
  });
});

describe('a schema of arbitrary patterns', () => {
  const plain = fc.constantFrom(
    'a',
    '.',
    '[^a]',
    '[A-\u{1E942}]',
    '[\u{0}-\u{10FFFF}]',
    String.raw`\w`,
    String.raw`[^\p{L}]`,
    '(?i:[A-\u{1E942}])',
    '(?-i:a)',
    '(?is:\u{212A})',
    '(?i-m:(?:a))',
  );
  const repetition = fc.constantFrom('', '*', '+?', '{50}', '{1,30}', '{900}', '{0,999}');
  const patternOf = (atom: fc.Arbitrary<string>) =>
    fc
      .array(fc.tuple(atom, repetition), { minLength: 1, maxLength: 40 })
      .map((parts) => parts.flat().join(''));
  const schemaOf = (patterns: fc.Arbitrary<string[]>) =>
    patterns.map((all) =>
      object({ properties: { a: { anyOf: all.map((pattern) => ({ pattern })) } } }),
    );
  const many = fc.array(patternOf(plain), { minLength: 1, maxLength: 40 });

  it('is answered for, or ended, and others are answered after it', async () => {
    const answers = fc.asyncProperty(schemaOf(many), async (schema) => {
      const [fault, mismatch, other] = await Promise.all([
        schemaFault(schema),
        mismatchIn(schema, { a: 'K\u{212A}a'.repeat(100) }),
        mismatchIn({ type: 'object' }, 7),
      ]);
      expect(fault ?? 'checking them takes too long').toMatch(ENDED);
      expect(mismatch ?? 'a takes it').toMatch(/^a takes|^checking them takes too/);
      expect(other).toBe('the arguments take an object');
    });
    await fc.assert(answers, { numRuns: 20 });
  });
});
