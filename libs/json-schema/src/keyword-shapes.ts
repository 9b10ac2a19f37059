import { isJsonObject } from '#libs/json';
import { canonicalJson } from '#libs/json';

/** Whether a keyword may hold this; the schemas in it are added to `inner`, to be looked at later. */
type Shape = (held: unknown, inner: unknown[]) => boolean;

const TYPES = new Set<unknown>([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const anything: Shape = () => true;
const text: Shape = (held) => typeof held === 'string';
const flag: Shape = (held) => typeof held === 'boolean';
const number: Shape = (held) => Number.isFinite(held);
const unit: Shape = (held) => Number.isFinite(held) && Number(held) > 0;
const count: Shape = (held) => Number.isInteger(held) && Number(held) >= 0;
const list: Shape = (held) => Array.isArray(held);
const schema: Shape = (held, inner) => inner.push(held) > 0;
const like =
  (pattern: RegExp): Shape =>
  (held) =>
    typeof held === 'string' && pattern.test(held);
const mapOf =
  (shape: Shape): Shape =>
  (held, inner) =>
    isJsonObject(held) && Object.values(held).every((each) => shape(each, inner));
const schemas: Shape = (held, inner) =>
  Array.isArray(held) && held.length > 0 && held.every((each) => schema(each, inner));
const options: Shape = (held) =>
  Array.isArray(held) &&
  held.length > 0 &&
  new Set(held.map((each) => canonicalJson(each))).size === held.length;
const names: Shape = (held) =>
  Array.isArray(held) &&
  held.every((each) => typeof each === 'string') &&
  new Set(held).size === held.length;
const type: Shape = (held, inner) =>
  Array.isArray(held)
    ? options(held, inner) && held.every((each) => TYPES.has(each))
    : TYPES.has(held);
const orList =
  (shape: Shape): Shape =>
  (held, inner) =>
    Array.isArray(held) ? shape(held, inner) : schema(held, inner);

const all = (shape: Shape, ...keywords: string[]) =>
  keywords.map((keyword) => [keyword, shape] as const);

const DRAFT_07 = [
  ...all(text, '$id', '$schema', '$ref', '$comment', 'title', 'description', 'pattern', 'format'),
  ...all(text, 'contentMediaType', 'contentEncoding'),
  ...all(flag, 'readOnly', 'uniqueItems'),
  ...all(unit, 'multipleOf'),
  ...all(number, 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'),
  ...all(count, 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'),
  ...all(schema, 'additionalItems', 'contains', 'additionalProperties', 'propertyNames'),
  ...all(schema, 'if', 'then', 'else', 'not'),
  ...all(schemas, 'allOf', 'anyOf', 'oneOf'),
  ...all(mapOf(schema), 'definitions', 'properties', 'patternProperties'),
  ...all(mapOf(orList(names)), 'dependencies'),
  ...all(orList(schemas), 'items'),
  ...all(names, 'required'),
  ...all(options, 'enum'),
  ...all(type, 'type'),
  ...all(list, 'examples'),
];

const DRAFT_2019_09 = [
  ...DRAFT_07,
  ...all(like(/^[^#]*#?$/), '$id'),
  ...all(like(/^[A-Za-z][-A-Za-z0-9.:_]*$/), '$anchor'),
  ...all(text, '$recursiveRef'),
  ...all(flag, '$recursiveAnchor', 'deprecated', 'writeOnly'),
  ...all(count, 'maxContains', 'minContains'),
  ...all(schema, 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'),
  ...all(mapOf(schema), '$defs', 'dependentSchemas'),
  ...all(mapOf(names), 'dependentRequired'),
  ...all(mapOf(flag), '$vocabulary'),
  ...all(list, 'enum'),
];

const DRAFT_2020_12 = [
  ...DRAFT_2019_09,
  ...all(like(/^[A-Za-z_][-A-Za-z0-9._]*$/), '$anchor', '$dynamicAnchor', '$recursiveAnchor'),
  ...all(text, '$dynamicRef'),
  ...all(schemas, 'prefixItems'),
  ...all(schema, 'items'),
  ...all(anything, 'additionalItems'),
];

/** What the keywords of a dialect may hold, as its schema of schemas has it. */
export type KeywordShapes = ReadonlyMap<string, Shape>;

export const draft07Shapes: KeywordShapes = new Map(DRAFT_07);
export const draft201909Shapes: KeywordShapes = new Map(DRAFT_2019_09);
export const draft202012Shapes: KeywordShapes = new Map(DRAFT_2020_12);

/** Whether a JSON value is a schema all through; looks at each part of it once. */
export function isWellFormed(root: unknown, shapes: KeywordShapes): boolean {
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'boolean') continue;
    if (!isJsonObject(next)) return false;
    for (const [keyword, held] of Object.entries(next)) {
      if (shapes.get(keyword)?.(held, rest) === false) return false;
    }
  }
  return true;
}
