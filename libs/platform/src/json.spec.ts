import { assert, constantFrom, jsonValue, nat, property, string, uint8Array } from 'fast-check';
import {
  canonicalJson,
  countJson,
  decodeUtf8,
  epochSeconds,
  isJsonObject,
  isLongerOrDeeper,
  isNestedDeeper,
  type JsonCounts,
  parseJson,
} from './json.js';

describe('parseJson', () => {
  it.each(['null', '0', '""', '[]', '{"a":[1]}', '"é"'])('reads %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each(['', 'undefined', '{', "{'a':1}", 'NaN'])('finds no JSON in %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
    expect(parseJson(Buffer.from(text))).toBeUndefined();
  });

  it('finds no JSON in bytes that are no UTF-8', () => {
    expect(parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
    expect(parseJson(Buffer.of(0x22, 0xff, 0x22))).toBeUndefined();
  });
});

describe('decodeUtf8', () => {
  it('leaves out a byte order mark', () => {
    expect(decodeUtf8(Buffer.from('\ufeffé'))).toBe('é');
  });

  it('finds no text in bytes that are no UTF-8', () => {
    expect(decodeUtf8(Buffer.of(0x61, 0xff))).toBeUndefined();
  });
});

describe('canonical JSON', () => {
  it('is JSON of the same value', () => {
    assert(
      property(jsonValue(), (value) => {
        expect(parseJson(canonicalJson(value))).toEqual(parseJson(JSON.stringify(value)));
      }),
    );
  });

  it('is the same text in whatever order members came, at any depth', () => {
    const one = { b: [{ d: 1, c: 2 }], a: 'x' };
    const other = { a: 'x', b: [{ c: 2, d: 1 }] };
    expect(canonicalJson(one)).toBe('{"a":"x","b":[{"c":2,"d":1}]}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  it('is another text for each other value', () => {
    const simple = [null, true, 'true', 0, '0', '', Infinity, -Infinity, 'Infinity'];
    const lists = [[], [[]], [{}], [null], [0], [1, 2], [2, 1], '[1,2]', [Infinity]];
    const objects = [{}, { a: 1 }, { a: '1' }, { 'a":1,"b': 2 }, { a: 1, b: 2 }];
    const values = [...simple, ...lists, ...objects];
    expect(new Set(values.map((value) => canonicalJson(value))).size).toBe(values.length);
  });
});

it('epoch seconds are whole, rounded down', () => {
  expect([0, 999, 1_000, 1_999].map(epochSeconds)).toEqual([0, 0, 1, 1]);
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
    : 0;

function expectDepth(value: unknown, depth: number) {
  expect(isNestedDeeper(value, depth)).toBe(false);
  expect(isNestedDeeper(value, depth - 1)).toBe(depth > 0);
}

describe('the nesting of JSON', () => {
  it('is that of the value', () => {
    assert(property(jsonValue({ maxDepth: 8 }), (value) => expectDepth(value, depthOf(value))));
  });

  it.each([
    ['"[[{\\"["', 0],
    ['["\\\\", ["]"]]', 2],
    ['{"[": "{"}', 1],
    ['{"__proto__": [[]]}', 3],
  ])('counts no brackets in strings: %s', (json, depth) => {
    expectDepth(JSON.parse(json), depth);
  });

  it('is found too deep without going to the bottom', () => {
    const json = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(isNestedDeeper(JSON.parse(json), 64)).toBe(true);
  });
});

describe('JSON that is much too long', () => {
  it('is found only where the text is longer, or the value deeper', () => {
    assert(
      property(jsonValue({ maxDepth: 8 }), nat(200), nat(8), (value, characters, levels) => {
        const isDeeper = depthOf(value) > levels;
        const isLonger = JSON.stringify(value).length > characters;
        const isTold = isLongerOrDeeper(value, characters, levels);
        expect(isTold && !isDeeper && !isLonger).toBe(false);
        expect(isDeeper && !isTold).toBe(false);
      }),
    );
  });

  it.each([
    ['text', 'x'.repeat(101)],
    ['elements', Array.from({ length: 101 }, () => 0)],
    ['members', Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, 0]))],
    ['names', { ['x'.repeat(101)]: 0 }],
    ['what comes last', [{ a: [] }, ['x'.repeat(101)]]],
    ['a member that is called as a method', { toJSON: 'x'.repeat(101) }],
  ])('is found by its %s', (_what, value) => {
    expect(isLongerOrDeeper(value, 100, 3)).toBe(true);
  });

  it('stops at the part that exceeds the limit', () => {
    const seen = jest.fn(() => 'x'.repeat(50));
    const values = Array.from({ length: 100 }, () => ({
      get text() {
        return seen();
      },
    }));
    expect(isLongerOrDeeper(values, 100, 3)).toBe(true);
    expect(seen.mock.calls.length).toBeLessThan(6);
  });

  it('leaves out what JSON leaves out or writes in another form', () => {
    const value = { gone: undefined, at: { text: 'x'.repeat(101), toJSON: () => 1 } };
    expect(isLongerOrDeeper(value, 100, 3)).toBe(false);
  });
});

const UNLIMITED: JsonCounts = { members: Infinity, elements: Infinity, levels: Infinity };
const count = (text: string, limits: Partial<JsonCounts> = {}) =>
  countJson(Buffer.from(text), { ...UNLIMITED, ...limits });

function countsOf(value: unknown): JsonCounts {
  if (typeof value !== 'object' || value === null) return { members: 0, elements: 0, levels: 0 };
  const inner = Object.values(value).map(countsOf);
  const sum = (name: 'members' | 'elements') => inner.reduce((all, each) => all + each[name], 0);
  return {
    members: sum('members') + (isJsonObject(value) ? inner.length : 0),
    elements: sum('elements') + (Array.isArray(value) ? inner.length : 0),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  };
}

describe('the counts of JSON', () => {
  it('are those of the parsed value, however it is written', () => {
    const spaces = constantFrom('', ' ', '\t', '\n\r ');
    assert(
      property(jsonValue({ maxDepth: 6 }), spaces, (value, space) => {
        expect(count(JSON.stringify(value, undefined, space))).toEqual(countsOf(value));
      }),
    );
  });

  it('do not mind what is in strings', () => {
    const nasty = string({
      unit: constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'é', '😀'),
    });
    assert(
      property(nasty, nasty, (name, text) => {
        const value = { [name]: [text, { [text]: name }] };
        expect(count(JSON.stringify(value))).toEqual(countsOf(value));
      }),
    );
  });

  it.each<[string, JsonCounts]>([
    ['', { members: 0, elements: 0, levels: 0 }],
    ['[ \n\t\r ]', { members: 0, elements: 0, levels: 1 }],
    ['[[],[]]', { members: 0, elements: 2, levels: 2 }],
    ['{"a":{},"a":[0]}', { members: 2, elements: 1, levels: 2 }],
    [String.raw`["\\",":\"",{"[":","}]`, { members: 1, elements: 3, levels: 2 }],
    ['{"\\u0022":"\\u005b"}', { members: 1, elements: 0, levels: 1 }],
  ])('of %j', (text, counts) => {
    expect(count(text)).toEqual(counts);
  });

  it.each<[keyof JsonCounts, string, string]>([
    ['members', `{${'"a":0,'.repeat(9)}"a":0}`, `{${'"a":0,'.repeat(10)}"a":0}`],
    ['elements', `[${'0,'.repeat(9)}0]`, `[${'0,'.repeat(10)}0]`],
    ['levels', '['.repeat(10) + ']'.repeat(10), '['.repeat(11) + ']'.repeat(11)],
  ])('end where the limit of %s is passed', (passed, just, over) => {
    const limits = { members: 10, elements: 10, levels: 10, [passed]: 10 };
    expect(count(just, limits)).not.toHaveProperty('passed');
    expect(count(over, limits)).toMatchObject({ passed, [passed]: 11 });
    expect(count(over + over.repeat(1_000), limits)).toMatchObject({ passed, [passed]: 11 });
  });

  it('need no stack', () => {
    expect(count('['.repeat(500_000)).levels).toBe(500_000);
  });

  it('exist for any bytes, and are no less than a parser finds', () => {
    const bytes = uint8Array({ max: 0x7e, min: 0x20, maxLength: 12 });
    assert(
      property(bytes, (any) => {
        const { members, elements, levels } = countJson(any, UNLIMITED);
        const parsed = countsOf(parseJson(any));
        expect(members).toBeGreaterThanOrEqual(parsed.members);
        expect(elements).toBeGreaterThanOrEqual(parsed.elements);
        expect(levels).toBeGreaterThanOrEqual(parsed.levels);
      }),
    );
  });
});
