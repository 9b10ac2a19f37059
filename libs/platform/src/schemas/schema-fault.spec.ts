import type { JsonObject } from '../json/json-object.js';
import { schemaFault } from './schema-fault.js';

const object = (rest: object): JsonObject => ({ type: 'object', ...rest });

describe('schemaFault', () => {
  it.each<[string, JsonObject]>([
    ['the least there is', object({})],
    [
      'a draft-07 schema',
      object({
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: {} },
        properties: { a: { $ref: '#/definitions/a' } },
      }),
    ],
    [
      'a 2019-09 schema',
      object({
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        $recursiveAnchor: true,
        properties: { a: { $recursiveRef: '#' } },
      }),
    ],
    [
      'references of every kind',
      object({
        $id: 'https://x.test/s',
        $defs: { a: { $anchor: 'b' }, 'c/d': {}, e: { $id: 'e' } },
        allOf: [
          { $ref: '#b' },
          { $ref: '#/$defs/c~1d' },
          { $ref: 'e' },
          { $ref: 'https://x.test/s#/$defs/a' },
          { $ref: '#' },
        ],
      }),
    ],
    ['a pattern that looks ahead', object({ properties: { a: { pattern: '^(?=a)' } } })],
    [
      'keywords that nobody knows',
      object({ 'x-order': 1, properties: { a: { format: 'colour' } } }),
    ],
    ['values that look like keywords', object({ default: { $ref: '#/x', pattern: '(' } })],
    ['a class with what begins a modifier', object({ properties: { a: { pattern: '[(?i:]' } } })],
    ['an escaped parenthesis', object({ properties: { a: { pattern: String.raw`\(?i:a` } } })],
    ['a group with modifiers', object({ properties: { a: { pattern: '(?i:a)(?-i:b)' } } })],
    ['a group without modifiers', object({ properties: { a: { pattern: '(?:a)(?<b>c)(?=d)' } } })],
    ['a property that is called $ref', object({ properties: { $ref: { type: 'string' } } })],
  ])('has nothing against %s', (_what, schema) => {
    expect(schemaFault(schema)).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ['a keyword of another shape', object({ properties: { a: { type: 'text' } } }), 'no valid'],
    ['required of true', object({ properties: { a: { required: true } } }), 'no valid'],
    ['a pattern that is none', object({ properties: { a: { pattern: '(' } } }), 'pattern'],
    ...['default', 'const', 'enum', 'examples'].flatMap((name): [string, JsonObject, string][] => [
      [
        `a pattern that is none in a property that is called ${name}`,
        object({ properties: { [name]: { pattern: '(' } } }),
        'pattern',
      ],
      [
        `a foreign reference in a definition that is called ${name}`,
        object({ $defs: { [name]: { $ref: 'https://evil.test/schema' } } }),
        '$ref',
      ],
    ]),
    [
      'an unknown dialect',
      object({ $schema: 'http://json-schema.org/draft-04/schema#' }),
      '$schema',
    ],
    ['a dialect that is none', object({ $schema: 4 }), '$schema'],
    ['a reference out of it', object({ $ref: 'https://evil.test/schema' }), '$ref'],
    ['a reference into nothing', object({ $ref: '#/$defs/a' }), '$ref'],
    ['a reference to what every object has', object({ $ref: '#/__proto__' }), '$ref'],
  ])('has something against %s', (_what, schema, words) => {
    expect(schemaFault(schema)).toContain(words);
  });
});
