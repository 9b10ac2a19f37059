import * as fc from 'fast-check';
import type { JsonObject } from '../json.js';
import { SandboxedPattern } from './sandboxed-pattern.js';
import { SchemaChecks } from './schema-checks.service.js';

const ENDED = /^checking them takes too (long|much memory)/;

let checks: SchemaChecks;
let accounts = 0;
/** Each for an account of its own, as a schema whose check was ended gets no other. */
const mismatchIn = (schema: JsonObject, value: unknown) => {
  accounts += 1;
  return checks.mismatch(`a${accounts}`, schema, value);
};
const schemaFault = async (schema: JsonObject) => {
  accounts += 1;
  return (await checks.faultAmong(`a${accounts}`, [schema])).fault;
};

beforeAll(() => {
  // The second of a call may pass on a busy machine.
  checks = new (class extends SchemaChecks {
    protected override readonly maxCallMs = 30_000;
  })();
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

describe('a pattern', () => {
  const fits = async (schema: JsonObject, value: unknown) => {
    const mismatch = await mismatchIn(schema, value);
    expect(mismatch ?? 'takes').toMatch(/takes?/);
    expect(mismatch ?? '').not.toMatch(ENDED);
    return mismatch === undefined;
  };
  const { raw } = String;

  it.each<[string, string, string]>([
    ['^[a-z ]{1,2000}$', 'a b', 'A'],
    [raw`^(["'])[a-z]*\1$`, '"a"', `"a'`],
    [raw`^\p{ASCII}+$`, 'abc', 'ä'],
    [raw`^\p{Script=Greek}$`, 'α', 'a'],
    [raw`^\p{General_Category=Uppercase_Letter}$`, 'Ä', 'ä'],
    [raw`^\p{scx=Grek}$`, 'α', 'a'],
    [raw`^[\b]$`, '\b', 'b'],
    [raw`^\s$`, '\ufeff', '\u200b'],
    [raw`^\w$`, '_', '\u212a'],
    [raw`^(?i:\w)$`, '\u212a', 'ä'],
    [raw`^(?<!a)b(?=c)`, 'bc', 'bd'],
    [raw`^(?<year>\d{4})-\k<year>$`, '2020-2020', '2020-2021'],
    ['^.$', '\u{1f600}', 'ab'],
    [raw`^[^\u{1f600}]$`, '\ud83d', '\u{1f600}'],
    ['^a$', 'a', 'a\0b'],
    ['^a$', 'a', 'a\n'],
    [raw`^[^\p{L}]{10}$`, '0123456789', '012345678x'],
    [raw`[^\p{L}]`.repeat(10), '0123456789', '012345678x'],
  ])('%s is run as JavaScript does', async (pattern, fitting, other) => {
    const expression = new RegExp(pattern, 'u');
    expect([expression.test(fitting), expression.test(other)]).toEqual([true, false]);
    expect(await schemaFault(property({ pattern }))).toBeUndefined();
    expect(await fits(property({ pattern }), { a: fitting })).toBe(true);
    expect(await fits(property({ pattern }), { a: other })).toBe(false);
  });

  it.each<JsonObject>([
    { propertyNames: { pattern: raw`^\p{Script=Greek}$` } },
    { patternProperties: { [raw`^\p{Script=Greek}$`]: {} }, additionalProperties: false },
  ])('decides about names: %j', async (schema) => {
    expect(await schemaFault(object(schema))).toBeUndefined();
    expect(await fits(schema, { α: 1 })).toBe(true);
    expect(await fits(schema, { a: 1 })).toBe(false);
  });

  it('leaves nothing in the interpreter, which serves all accounts, however often it is run', () => {
    const pattern = new SandboxedPattern('^a');
    // Its memory would hold the results of 1.7 million.
    for (let n = 0; n < 2_000_000; n += 1) pattern.test('a');
    expect([pattern.test('a'), pattern.test('b')]).toEqual([true, false]);
    SandboxedPattern.forget();
  });

  it('decides within `not`, `oneOf` and `contains` too', async () => {
    const ahead = { pattern: '^(?=a)' };
    expect(await fits(property({ not: ahead }), { a: 'a' })).toBe(false);
    expect(await fits(property({ oneOf: [ahead, { pattern: '(?!b)' }] }), { a: 'b' })).toBe(true);
    expect(await fits(property({ contains: ahead, maxContains: 1 }), { a: ['a', 'ab'] })).toBe(
      false,
    );
  });

  // Without modifiers: V8 has `^(?i:a)\w$` match "a\u017f", against ECMA-262.
  const ATOMS =
    raw`a K . [^a] [b-k] ^ $ (a) (?:a|bk) (?=a) (?!k) (?<=a) \w \W \s \b \d \p{L} [^\p{Lu}] ` +
    raw`[\u{212a}s] \u{1f600} (b)\1`;
  const atom = fc.constantFrom(...ATOMS.split(' '));
  const pattern = fc
    .array(fc.tuple(atom, fc.constantFrom('', '', '?', '*', '+?', '{2}', '{1,3}')), {
      maxLength: 6,
    })
    .map((parts) => parts.flat().join(''))
    .filter((source) => {
      try {
        new RegExp(source, 'u').test('');
        return true;
      } catch {
        return false;
      }
    });
  const text = fc
    .array(fc.constantFrom(...'abkKsS_1 \n\u{212a}\u{17f}äΩ\u{1f600}'), { maxLength: 6 })
    .map((all) => all.join(''));

  it('of any kind is run as JavaScript does', async () => {
    const together = fc.array(fc.tuple(pattern, text), { minLength: 40, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(together, async (all) => {
        for (const [source, value] of all.slice(0, 20)) {
          const schema = property({ pattern: source });
          const wanted = new RegExp(source, 'u').test(value);
          expect([source, value, await fits(schema, { a: value })]).toEqual([
            source,
            value,
            wanted,
          ]);
        }
      }),
      { numRuns: 40 },
    );
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
