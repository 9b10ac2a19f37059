import type { ValidateFunction } from 'ajv';
import { isJsonObject, type JsonObject } from '#libs/json';
import { type Dialect, dialectOf } from './dialects.js';
import { References } from './references.js';

const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

const compiled = new Map<Dialect, ValidateFunction>();

/**
 * What keeps a JSON value from being the schema of an object; undefined when nothing does. It takes a
 * time that grows with the size of the value only: whoever asks bounds that and the depth first.
 */
export function schemaFault(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return 'it has to be an object';
  if (schema['type'] !== 'object') return 'its root has to be of type object';
  const dialect = dialectOf(schema['$schema']);
  if (!dialect) return 'its $schema is none of 2020-12, 2019-09, draft-07 and draft-06';
  if (!metaSchemaOf(dialect)(schema)) return 'it is no valid JSON Schema';
  return faultInside(schema);
}

function metaSchemaOf(dialect: Dialect): ValidateFunction {
  const known = compiled.get(dialect);
  if (known) return known;
  const validate = new dialect.engine({ strict: false }).getSchema(dialect.metaSchema);
  if (!validate) throw new Error(`${dialect.metaSchema} is not known`);
  compiled.set(dialect, validate);
  return validate;
}

/** Values, which are no parts of the schema. */
const VALUES = new Set(['const', 'enum', 'default', 'examples']);

function faultInside(root: JsonObject): string | undefined {
  const references = new References(root);
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, value] of Object.entries(next)) {
      const isReference = typeof value === 'string' && REFERENCES.has(name);
      if (isReference && references.find(value) === undefined) {
        return 'it has a $ref to what is not in it';
      }
      const patterns = name === 'patternProperties' ? Object.keys(Object(value)) : [];
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      if (!patterns.every(isExpression)) return 'it has a pattern that is no regular expression';
      if (!VALUES.has(name)) rest.push(value);
    }
  }
  return undefined;
}

/** Looked at, never run. */
function isExpression(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}
