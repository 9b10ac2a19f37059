import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  draft07Shapes,
  draft201909Shapes,
  draft202012Shapes,
  isWellFormed,
  type KeywordShapes,
} from './keyword-shapes.js';

const HELD: readonly unknown[] = [
  [null, true, false, 0, 1, -1, 1.5, '', 'string', 'a#', 'a#b', '_a:b', 'a.b'],
  [[], [1], ['a'], ['a', 'a'], ['string'], ['string', 'null'], ['null', 'null'], [{}], [[]]],
  [
    [true, {}],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [1, '1'],
    [{ type: 'x' }],
  ],
  [{}, { a: {} }, { a: true }, { a: 1 }, { a: [] }, { a: ['b'] }, { a: ['b', 'b'] }, { a: [{}] }],
  [{ type: 'x' }, { a: { type: 'x' } }, { not: { enum: 1 } }, { a: { items: { items: 1 } } }],
].flat();

const keywords = [...draft202012Shapes.keys(), 'const', 'default', 'x-own'];

describe.each<[string, KeywordShapes, typeof Ajv | typeof Ajv2019 | typeof Ajv2020, string]>([
  ['2020-12', draft202012Shapes, Ajv2020, 'https://json-schema.org/draft/2020-12/schema'],
  ['2019-09', draft201909Shapes, Ajv2019, 'https://json-schema.org/draft/2019-09/schema'],
  ['draft-07', draft07Shapes, Ajv, 'http://json-schema.org/draft-07/schema'],
])('a schema of %s', (_dialect, shapes, Engine, metaSchema) => {
  const validate = new Engine({ strict: false }).getSchema(metaSchema);

  it.each(keywords)('is well-formed by %s where the schema of schemas takes it', (keyword) => {
    for (const held of HELD) {
      const schema = { type: 'object', properties: { a: { [keyword]: held } } };
      const verdict = { held, isWellFormed: isWellFormed(schema, shapes) };
      expect(verdict).toEqual({ held, isWellFormed: validate?.(schema) });
    }
  });
});
