/** A version of JSON Schema, as `@cfworker/json-schema` calls it; draft-06 is read as draft-07. */
export type SchemaDialect = '7' | '2019-09' | '2020-12';

export const NO_DIALECT = 'its $schema is none of 2020-12, 2019-09, draft-07 and draft-06';

const DIALECTS: readonly [RegExp, SchemaDialect][] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, '7'],
];

/** What a `$schema` names, or 2020-12 where there is none; undefined for one that is not known. */
export function dialectOf($schema: unknown): SchemaDialect | undefined {
  if ($schema === undefined) return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  return DIALECTS.find(([name]) => name.test($schema))?.[1];
}
