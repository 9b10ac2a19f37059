import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Engine = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

/** A version of JSON Schema: what reads it, and the schema of its schemas. */
export interface Dialect {
  readonly engine: Engine;
  readonly metaSchema: string;
}

const LATEST: Dialect = {
  engine: Ajv2020,
  metaSchema: 'https://json-schema.org/draft/2020-12/schema',
};

const DIALECTS: readonly [RegExp, Dialect][] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, LATEST],
  [
    /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/,
    { engine: Ajv2019, metaSchema: 'https://json-schema.org/draft/2019-09/schema' },
  ],
  [
    /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/,
    { engine: Ajv, metaSchema: 'http://json-schema.org/draft-07/schema' },
  ],
];

/** What a `$schema` names, or 2020-12 where there is none; undefined for one that is not known. */
export function dialectOf($schema: unknown): Dialect | undefined {
  if ($schema === undefined) return LATEST;
  if (typeof $schema !== 'string') return undefined;
  return DIALECTS.find(([name]) => name.test($schema))?.[1];
}
