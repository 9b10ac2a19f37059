import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  draft07Shapes,
  draft201909Shapes,
  draft202012Shapes,
  type KeywordShapes,
} from './keyword-shapes.js';

type Engine = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

/** A version of JSON Schema: what reads it, and what its keywords may hold. */
export interface Dialect {
  readonly engine: Engine;
  readonly shapes: KeywordShapes;
}

const LATEST: Dialect = { engine: Ajv2020, shapes: draft202012Shapes };

const DIALECTS: readonly [RegExp, Dialect][] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, LATEST],
  [
    /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/,
    { engine: Ajv2019, shapes: draft201909Shapes },
  ],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, { engine: Ajv, shapes: draft07Shapes }],
];

/** What a `$schema` names, or 2020-12 where there is none; undefined for one that is not known. */
export function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return LATEST;
  if (typeof $schema !== 'string') return undefined;
  return DIALECTS.find(([name]) => name.test($schema))?.[1];
}
