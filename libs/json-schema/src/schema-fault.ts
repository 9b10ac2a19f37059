import { isJsonObject, type JsonObject } from '#libs/json';
import { dialectOf } from './dialects.js';
import { isExpression } from './expressions.js';
import { isWellFormed } from './keyword-shapes.js';
import { References } from './references.js';

const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/**
 * What keeps a JSON value from being the schema of an object; undefined when nothing does. It takes a
 * time that grows with the size of the value only: whoever asks bounds that and the depth first.
 */
export function schemaFault(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return 'it has to be an object';
  if (schema['type'] !== 'object') return 'its root has to be of type object';
  const dialect = dialectOf(schema['$schema']);
  if (!dialect) return 'its $schema is none of 2020-12, 2019-09, draft-07 and draft-06';
  if (!isWellFormed(schema, dialect.shapes)) return 'it is no valid JSON Schema';
  return faultInside(schema);
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
