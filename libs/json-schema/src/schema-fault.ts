import { isJsonObject, type JsonObject } from '#libs/json';
import { dialectOf } from './dialects.js';
import { hasModifiers, isExpression } from './expressions.js';
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

/** Keywords that hold values, which are not parts of the schema. */
const VALUES = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords that hold schemas by names, which are not keywords. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
]);

function faultInside(root: JsonObject): string | undefined {
  const references = new References(root);
  const rest: { readonly part: unknown; readonly isMap: boolean }[] = [
    { part: root, isMap: false },
  ];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { part, isMap } = next;
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (isMap) {
        rest.push({ part: value, isMap: false });
        continue;
      }
      const isReference = typeof value === 'string' && REFERENCES.has(name);
      if (isReference && references.find(value) === undefined) {
        return 'it has a $ref to what is not in it';
      }
      const patterns = name === 'patternProperties' ? Object.keys(Object(value)) : [];
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      if (!patterns.every(isExpression)) return 'it has a pattern that is no regular expression';
      if (patterns.some(hasModifiers)) return 'it has a pattern with modifiers, such as (?i:a)';
      if (!VALUES.has(name)) rest.push({ part: value, isMap: MAPS.has(name) });
    }
  }
  return undefined;
}
