import { type JsonObject, isJsonObject } from '#libs/platform';

/** Keywords whose subschemas (one, a list, or one per name) apply to the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not'];
const BY_NAME = ['dependentSchemas', 'dependencies'];
const NAMED = ['properties', 'dependentRequired', ...BY_NAME];
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** The members that a schema names for the value itself, not for nested values; follows references. */
export function namesAtRoot(root: JsonObject): ReadonlySet<string> {
  const places = placesIn(root);
  const names = new Set<string>();
  const known = new Set<unknown>();
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (!isJsonObject(next) || known.has(next)) continue;
    known.add(next);
    const schema = next;
    for (const keyword of NAMED) {
      Object.keys(Object(memberOf(schema, keyword))).forEach((name) => names.add(name));
    }
    [memberOf(schema, 'required')].flat().forEach((name) => names.add(String(name)));
    rest.push(...SAME_VALUE.flatMap((keyword) => memberOf(schema, keyword) ?? []));
    rest.push(...BY_NAME.flatMap((keyword) => Object.values(Object(memberOf(schema, keyword)))));
    rest.push(...REFERENCES.map((keyword) => places(String(memberOf(schema, keyword))) ?? true));
  }
  return names;
}

/** Resolves references in a schema: by a JSON pointer (RFC 6901 §6) or by an anchor or id. */
function placesIn(root: JsonObject) {
  const named = new Map<string, JsonObject>([['', root]]);
  const rest: unknown[] = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    rest.push(...Object.values(next).toReversed());
    const [id, ...anchors] = ['$id', '$anchor', '$dynamicAnchor'].map((name) =>
      memberOf(next, name),
    );
    for (const name of [id, ...anchors.map((anchor) => anchor && `#${String(anchor)}`)]) {
      if (typeof name !== 'string' || !isJsonObject(next) || named.has(name)) continue;
      named.set(name.replace(/#$/, ''), next);
    }
  }
  return (reference: string): unknown => {
    const [id = '', fragment = ''] = reference.split('#', 2);
    if (fragment !== '' && !fragment.startsWith('/')) return named.get(`#${fragment}`);
    return fragment
      .split('/')
      .slice(1)
      .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce((inner: unknown, step) => memberOf(inner, step), named.get(id));
  };
}

function decoded(step: string) {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** An object's own member, even if it is called `__proto__`. */
const memberOf = (object: unknown, name: string): unknown =>
  isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
