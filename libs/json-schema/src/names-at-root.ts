import { isJsonObject, type JsonObject } from '#libs/json';
import { memberOf } from './misfit.js';
import { References } from './references.js';

/** Keywords that hold a schema, a list of schemas, or a schema each name, for the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'];
const BY_NAME = ['dependentSchemas', 'dependencies'];
const NAMED = ['properties', 'dependentRequired', ...BY_NAME];

/** The members of a value itself, not of what is in it, that a schema names: there, or where it leads. */
export function namesAtRoot(root: JsonObject): ReadonlySet<string> {
  const references = new References(root);
  const names = new Set<string>();
  const known = new Set<unknown>();
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (!isJsonObject(next) || known.has(next)) continue;
    known.add(next);
    const schema = next;
    const valuesOf = (keyword: string) => Object.values(Object(memberOf(schema, keyword)));
    for (const keyword of NAMED) {
      Object.keys(Object(memberOf(schema, keyword))).forEach((name) => names.add(name));
    }
    [memberOf(schema, 'required')].flat().forEach((name) => names.add(String(name)));
    rest.push(...SAME_VALUE.flatMap((keyword) => memberOf(schema, keyword) ?? []));
    rest.push(...BY_NAME.flatMap((keyword) => valuesOf(keyword)));
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = memberOf(schema, keyword);
      if (typeof reference === 'string') rest.push(references.find(reference) ?? true);
    }
  }
  return names;
}
