import { createRequire } from 'node:module';
import {
  dereference,
  type OutputUnit,
  type Schema,
  schemaMapKeyword,
  validate,
  Validator,
} from '@cfworker/json-schema';
import { RE2JS } from 're2js';
import type { JsonObject } from '../json.js';

/**
 * A regular expression of a stranger. V8 parses it, and so decides whether it is valid. RE2 runs it: V8 compiles
 * `[^\p{L}]{16}` and the like for seconds to minutes, during which its thread cannot be ended.
 */
export class LinearPattern extends RegExp {
  /** Tests since the last reset of patterns that RE2 does not support, such as look-aheads. */
  static presumptions = 0;
  private static presume: (nth: number) => boolean = () => true;
  private static readonly compiled = new Map<string, RE2JS | undefined>();

  /** `presume` is the outcome of the nth such test. */
  static reset(presume: (nth: number) => boolean) {
    LinearPattern.presume = presume;
    LinearPattern.presumptions = 0;
    LinearPattern.compiled.clear();
  }

  override test(text: string): boolean {
    const pattern = LinearPattern.of(this.source);
    if (pattern) return pattern.test(text);
    LinearPattern.presumptions += 1;
    return LinearPattern.presume(LinearPattern.presumptions);
  }

  private static of(source: string) {
    const { compiled } = LinearPattern;
    if (!compiled.has(source)) compiled.set(source, compile(source));
    return compiled.get(source);
  }
}

function compile(source: string) {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}

type AnySchema = boolean | JsonObject;

/** Names of members and indexes of elements, from the root of a value. */
export type Path = readonly (string | number)[];

/** The first part of a value that does not fit its schema. */
interface Mismatch {
  /** Of that part, or of the place where a missing one would be. */
  readonly path: Path;
  /** The keyword that fails there; `false` is the schema that accepts nothing. */
  readonly keyword: string;
  /** For `required` the schema of the missing member, else the schema that contains the keyword. */
  readonly schema: AnySchema;
}

/** An own member of an object, even `__proto__`; undefined for any other value. */
export const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as JsonObject)[name]
    : undefined;

const MAX_LENGTH = 64;
const MAX_ITEMS = 12;

/** A plain name as it is, any other as JSON text: it must not read like a sentence of the service. */
export const quoted = (name: string): string =>
  /^[A-Za-z0-9_$-]{1,64}$/.test(name) ? name : shortJson(name);

/** JSON text of a value, cut. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** `a, b and c`, or the first of them. */
export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_ITEMS).map((name) => quoted(name));
  if (names.length > MAX_ITEMS) return `${shown.join(', ')} and ${names.length - MAX_ITEMS} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** A version of JSON Schema, as `@cfworker/json-schema` calls it; draft-06 is read as draft-07. */
export type SchemaDialect = '7' | '2019-09' | '2020-12';

export const NO_DIALECT = 'its $schema is none of 2020-12, 2019-09, draft-07 and draft-06';

const DIALECTS: readonly [RegExp, SchemaDialect][] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, '7'],
];

/** The dialect of a `$schema`, 2020-12 where it is missing; undefined for an unknown one. */
export function dialectOf($schema: unknown): SchemaDialect | undefined {
  if ($schema === undefined) return '2020-12';
  if (typeof $schema !== 'string') return undefined;
  return DIALECTS.find(([name]) => name.test($schema))?.[1];
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const MAX_OPTIONS = 12;

/** A schema in a few words: `a string of 1 to 128 characters`. */
export const schemaText = (schema: AnySchema): string => textOf(schema, 1);

function textOf(schema: unknown, depth: number): string {
  if (schema === false) return 'nothing';
  const options = memberOf(schema, 'enum');
  if (Array.isArray(options)) return `one of ${optionsText(options)}`;
  if (Object.hasOwn(Object(schema), 'const')) return shortJson(memberOf(schema, 'const'));
  const alternatives = memberOf(schema, 'anyOf') ?? memberOf(schema, 'oneOf');
  if (Array.isArray(alternatives) && depth > 0) {
    const texts = alternatives.slice(0, MAX_OPTIONS / 2).map((each) => textOf(each, depth - 1));
    return [...new Set(texts)].join(', or ');
  }
  const types = [memberOf(schema, 'type') ?? []].flat().map(String);
  const nouns = types.map((type) => NOUNS[type] ?? 'something').join(' or ');
  return `${nouns || 'something else'}${detailText(schema)}`;
}

function optionsText(options: readonly unknown[]) {
  const shown = options.slice(0, MAX_OPTIONS).map((option) => shortJson(option));
  return `${shown.join(', ')}${options.length > MAX_OPTIONS ? ' …' : ''}`;
}

function detailText(schema: unknown): string {
  const of = (keyword: string) => memberOf(schema, keyword);
  const length = rangeText(of('minLength'), of('maxLength'));
  const items = rangeText(of('minItems'), of('maxItems'));
  const members = rangeText(of('minProperties'), of('maxProperties'));
  const range = rangeText(of('minimum'), of('maximum'));
  const [above, below, factor] = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(of);
  const [format, pattern] = ['format', 'pattern'].map(of);
  const parts = [
    length && ` of ${length} characters`,
    items && ` of ${items} elements`,
    of('uniqueItems') === true && ', each once',
    members && ` of ${members} properties`,
    range && ` ${range.startsWith('at ') ? 'of' : 'from'} ${range}`,
    typeof above === 'number' && ` above ${above}`,
    typeof below === 'number' && ` below ${below}`,
    typeof factor === 'number' && `, a multiple of ${factor}`,
    typeof format === 'string' && ` in the format ${shortJson(format)}`,
    typeof pattern === 'string' && ` that matches the pattern ${shortJson(pattern)}`,
  ];
  return parts.filter((part) => typeof part === 'string').join('');
}

/** `1 to 5`, `at least 1`, `at most 5`; empty where there are no bounds. */
function rangeText(least: unknown, most: unknown): string {
  const [from, to] = [typeof least === 'number', typeof most === 'number'];
  if (from && to) return `${least} to ${most}`;
  if (from) return `at least ${least}`;
  return to ? `at most ${most}` : '';
}

const MAX_STEPS = 8;

/** `timeoutMs takes an integer from 1 to 30000`: one clause of a bounded length, without a full stop. */
export function mismatchText({ path, keyword, schema }: Mismatch): string {
  const at = pathText(path);
  if (keyword === 'required') return `${at} is missing; it takes ${schemaText(schema)}`;
  const [subject, takes] = at === '' ? ['the arguments', 'take'] : [at, 'takes'];
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const names = Object.keys(Object(memberOf(schema, 'properties')));
    const only = names.length === 0 ? 'no properties' : `only the properties ${shortList(names)}`;
    return `${subject} ${takes} ${only}`;
  }
  return `${subject} ${takes} ${schemaText(schema)}`;
}

/** `items[2].name` */
function pathText(path: Path): string {
  const cut = path.length > MAX_STEPS ? '…' : '';
  const text = path.slice(0, MAX_STEPS).map(stepText).join('');
  return `${text.replace(/^\./, '')}${cut}`;
}

const stepText = (step: string | number) => {
  if (typeof step === 'number') return `[${step}]`;
  const name = quoted(step);
  return name.startsWith('"') ? `[${name}]` : `.${name}`;
};

type Lookup = Readonly<Record<string, Schema | boolean>>;

/** Keywords whose errors are followed by a more precise one. */
const LEADS_ON = new Set(
  (
    '$ref $recursiveRef allOf if dependentSchemas properties patternProperties additionalProperties ' +
    'unevaluatedProperties prefixItems items additionalItems unevaluatedItems'
  ).split(' '),
);
const OF_OTHERS = new Set(['additionalProperties', 'unevaluatedProperties']);
const OF_MISSING = new Set(['required', 'dependentRequired', 'dependencies']);

/** Outcomes of patterns that cannot be run: all match, none, or every other one. */
const PRESUMPTIONS = [() => true, () => false, isOdd, (nth: number) => !isOdd(nth)] as const;

/**
 * Why a JSON value does not fit a schema, in words; undefined when it fits. With patterns that cannot be run it fits
 * when it does so by one of the presumptions.
 */
export function mismatchIn(schema: JsonObject, value: unknown): string | undefined {
  const lookup = dereference(schema as Schema);
  let errors: readonly OutputUnit[] = [];
  for (const presume of PRESUMPTIONS) {
    LinearPattern.reset(presume);
    const result = validate(value, schema as Schema, dialectOf(schema['$schema']), lookup);
    if (result.valid) return undefined;
    errors = result.errors;
    if (LinearPattern.presumptions === 0) break;
  }
  return mismatchText(mismatchOf(errors, { schema, value, lookup }));
}

function isOdd(nth: number) {
  return nth % 2 === 1;
}

interface Checked {
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly lookup: Lookup;
}

function mismatchOf(
  errors: readonly OutputUnit[],
  { schema: root, value, lookup }: Checked,
): Mismatch {
  const isSaid = ({ keyword }: OutputUnit, at: number) =>
    !LEADS_ON.has(keyword) || (OF_OTHERS.has(keyword) && errors[at + 1]?.keyword === 'false');
  const error = errors.find(isSaid) ?? errors[0];
  if (!error) return { path: [], keyword: 'false', schema: false };
  const { keyword, instanceLocation, keywordLocation } = error;
  const { path, found } = follow(value, stepsOf(instanceLocation));
  if (keyword === 'false') return { path, keyword, schema: false };
  const schema = schemaAt(root, stepsOf(keywordLocation).slice(0, -1), lookup);
  const missing = OF_MISSING.has(keyword) ? missingIn(found, memberOf(schema, keyword)) : undefined;
  if (missing === undefined) return { path, keyword, schema };
  const inside = memberOf(memberOf(schema, 'properties'), missing);
  return { path: [...path, missing], keyword: 'required', schema: asSchema(inside) };
}

/** The first missing member: of a list of names, or of the names that present members need. */
function missingIn(object: unknown, needs: unknown): string | undefined {
  const names = Array.isArray(needs)
    ? needs
    : Object.entries(Object(needs)).flatMap(([name, others]) =>
        Object.hasOwn(Object(object), name) && Array.isArray(others) ? others : [],
      );
  return names.map(String).find((name) => !Object.hasOwn(Object(object), name));
}

const stepsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

function follow(value: unknown, steps: readonly string[]) {
  let found = value;
  const path = steps.map((step) => {
    const isIndex = Array.isArray(found);
    found = memberOf(found, step);
    return isIndex ? Number(step) : step;
  });
  return { path, found };
}

function schemaAt(root: JsonObject, steps: readonly string[], lookup: Lookup) {
  const found = steps.reduce((at: unknown, step) => {
    const reference = step === '$ref' ? memberOf(at, '__absolute_ref__') : undefined;
    if (typeof reference === 'string') return lookup[reference];
    return step === '$recursiveRef' ? root : memberOf(at, step);
  }, root);
  return asSchema(found);
}

const asSchema = (found: unknown) =>
  typeof found === 'object' && found !== null ? (found as JsonObject) : found !== false;

const require = createRequire(import.meta.url);

const META_SCHEMAS: Readonly<Record<SchemaDialect, string>> = {
  '7': 'json-schema-draft-07',
  '2019-09': 'json-schema-2019-09/schema',
  '2020-12': 'json-schema-2020-12/schema',
};
// Otherwise the library reads `dependencies` as one schema, and a member `default` of it as a value.
Object.assign(schemaMapKeyword, { dependencies: true });
const validators = new Map<SchemaDialect, Validator>();

/** Why an object cannot be used as a schema; undefined when it can. */
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
    const { $ref, $dynamicRef, $recursiveRef, __absolute_ref__ = '' } = Object(place) as Schema;
    if ($ref !== undefined && !Object.hasOwn(lookup, __absolute_ref__)) return true;
    // The library does not follow `$dynamicRef`, and follows `$recursiveRef` to the root.
    return [$dynamicRef, $recursiveRef].some((ref: unknown) => !String(ref ?? '#').startsWith('#'));
  });
  return leadsOut ? 'it has a $ref to what is not in it' : undefined;
}

/** Undefined where two parts have the same name, or a name is no URI. */
function lookupOf(schema: JsonObject) {
  try {
    return dereference(schema as Schema);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** The meta-schema, from ajv's package. */
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
