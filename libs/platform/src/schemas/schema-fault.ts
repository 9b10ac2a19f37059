import { createRequire } from 'node:module';
import { dereference, type Schema, Validator } from '@cfworker/json-schema';
import type { JsonObject } from '../json/json-object.js';
import { NO_DIALECT, type SchemaDialect, dialectOf } from './dialects.ts';

const require = createRequire(import.meta.url);

const META_SCHEMAS: Readonly<Record<SchemaDialect, string>> = {
  '7': 'json-schema-draft-07',
  '2019-09': 'json-schema-2019-09/schema',
  '2020-12': 'json-schema-2020-12/schema',
};
const validators = new Map<SchemaDialect, Validator>();

/** What keeps an object from being a schema that values can be checked against; undefined when nothing does. */
export function schemaFault(schema: JsonObject): string | undefined {
  const dialect = dialectOf(schema['$schema']);
  if (!dialect) return NO_DIALECT;
  const { errors } = metaSchemaOf(dialect).validate(schema);
  if (errors.some(({ keyword, error }) => keyword === 'format' && error.includes('"regex"'))) {
    return 'it has a pattern that is no regular expression';
  }
  const lookup = errors.length > 0 ? undefined : lookupOf(schema);
  if (!lookup) return 'it is no valid JSON Schema';
  const places: unknown[] = Object.values(lookup);
  const leadsOut = places.some((place) => {
    const target = Object(place) as Schema;
    return target.$ref !== undefined && !Object.hasOwn(lookup, target.__absolute_ref__ ?? '');
  });
  return leadsOut ? 'it has a $ref to what is not in it' : undefined;
}

/** Undefined where two parts have one name, or one has a name that is no address. */
function lookupOf(schema: JsonObject) {
  try {
    return dereference(schema as Schema);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** The schema of schemas, as ajv has it in its package. */
export function metaSchemaOf(dialect: SchemaDialect): Validator {
  const known = validators.get(dialect);
  if (known) return known;
  const root = read(META_SCHEMAS[dialect]);
  const validator = new Validator(root, dialect);
  if (dialect !== '7') {
    for (const { $ref } of root.allOf ?? []) {
      validator.addSchema(read(META_SCHEMAS[dialect].replace(/schema$/, String($ref)), root.$id));
    }
  }
  validators.set(dialect, validator);
  return validator;
}

/** The library does not follow `$dynamicRef`; in these documents it always leads to the root. */
function read(name: string, rootId?: string): Schema {
  const document = require(`ajv/dist/refs/${name}.json`) as Schema;
  const root = JSON.stringify(rootId ?? document.$id);
  const text = JSON.stringify(document);
  return JSON.parse(
    text.replaceAll(/"\$(?:dynamic|recursive)Ref":"#[a-z]*"/g, () => `"$ref":${root}`),
  ) as Schema;
}
