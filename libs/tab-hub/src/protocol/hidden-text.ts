import { HIDDEN } from '#libs/platform/hidden-text';
import { isJsonObject } from '#libs/platform/json';

const ONE = new RegExp(HIDDEN, 'v');
const ALL = new RegExp(HIDDEN, 'gv');

/** Most texts have no such character, which a short pattern finds out sooner. */
const NOT_PLAIN = /[^\t\n\r -~]/;

export const withoutHidden = (text: string): string =>
  NOT_PLAIN.test(text) ? text.replaceAll(ALL, '') : text;

/** Keywords of JSON Schema whose texts are for readers, who are shown them without hidden characters. */
const WORDS = new Set(['title', 'description', '$comment']);
const MAPS_OF_SCHEMAS = new Set(
  'properties patternProperties $defs definitions dependencies dependentSchemas'.split(' '),
);
const SCHEMAS = new Set(
  (
    'allOf anyOf oneOf not if then else items prefixItems additionalItems unevaluatedItems contains ' +
    'additionalProperties unevaluatedProperties propertyNames contentSchema'
  ).split(' '),
);

type Place = 'schema' | 'schemas by name' | 'value';

/** The first hidden character in what a schema says to programs: names, values and unknown keywords, but no words. */
export function hiddenInSchema(part: unknown, place: Place = 'schema'): string | undefined {
  if (typeof part === 'string') return ONE.exec(part)?.[0];
  if (Array.isArray(part)) return firstOf(part, (each) => hiddenInSchema(each, place));
  if (!isJsonObject(part)) return undefined;
  return firstOf(Object.entries(part), ([name, value]) => {
    if (place === 'schema' && WORDS.has(name) && typeof value === 'string') return undefined;
    return ONE.exec(name)?.[0] ?? hiddenInSchema(value, placeBelow(name, place));
  });
}

function placeBelow(name: string, place: Place): Place {
  if (place !== 'schema') return place === 'value' ? 'value' : 'schema';
  if (MAPS_OF_SCHEMAS.has(name)) return 'schemas by name';
  return SCHEMAS.has(name) ? 'schema' : 'value';
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined) {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
