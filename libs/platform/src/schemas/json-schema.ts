import { createRequire } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import {
  format as formats,
  type OutputUnit,
  type Schema,
  validate,
  Validator,
} from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../json.ts';

type AnySchema = boolean | JsonObject;

/** Names of members and indexes of elements, from the root of a value. */
export type Path = readonly (string | number)[];

interface Mismatch {
  readonly path: Path;
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

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

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
    const texts = alternatives.slice(0, MAX_OPTIONS / 2).map((option) => textOf(option, depth - 1));
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
  if (keyword === 'additionalProperties') {
    const names = Object.keys(Object(memberOf(schema, 'properties')));
    const only = names.length === 0 ? 'no properties' : `only the properties ${shortList(names)}`;
    return `${subject} ${takes} ${only}`;
  }
  return `${subject} ${takes} ${schemaText(schema)}`;
}

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
    '$ref allOf if dependentSchemas properties patternProperties additionalProperties ' +
    'prefixItems items additionalItems'
  ).split(' '),
);
const OF_MISSING = new Set(['required', 'dependentRequired', 'dependencies']);

/**
 * Why a JSON value does not fit a schema, in words; undefined when it fits.
 * @throws SchemaFault
 */
export function mismatchIn(object: JsonObject, value: unknown): string | undefined {
  const { schema, lookup } = readSchema(object);
  // Draft-07 ignores what stands beside a `$ref`, ajv applies it in every version: what a page states is checked.
  const { valid, errors } = validate(value, schema, '2020-12', lookup);
  return valid ? undefined : mismatchText(mismatchOf(errors, { schema, value, lookup }));
}

interface Checked {
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly lookup: Lookup;
}

function mismatchOf(
  errors: readonly OutputUnit[],
  { schema: root, value, lookup }: Checked,
): Mismatch {
  const error = decidingError(errors);
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

function decidingError(errors: readonly OutputUnit[]) {
  const decides = ({ keyword }: OutputUnit, at: number) =>
    !LEADS_ON.has(keyword) ||
    (keyword === 'additionalProperties' && errors[at + 1]?.keyword === 'false');
  return errors.find(decides) ?? errors[0];
}

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

function schemaAt(root: AnySchema, steps: readonly string[], lookup: Lookup) {
  const found = steps.reduce((at: unknown, step) => {
    const next = memberOf(at, step);
    return step === '$ref' && typeof next === 'string' ? lookup[next] : next;
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
const validators = new Map<SchemaDialect, Validator>();

const namesOf = (text: string) => new Set(text.split(' '));

/** The keywords that are checked: with one or several subschemas, with subschemas by name, and with none. */
const WITH_SCHEMAS = namesOf(
  'allOf anyOf oneOf not if then else items prefixItems additionalItems contains additionalProperties propertyNames',
);
const WITH_NAMED_SCHEMAS = namesOf(
  '$defs definitions properties patternProperties dependentSchemas dependencies',
);
const WITHOUT_SCHEMAS = namesOf(
  'type const enum multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format ' +
    'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties required dependentRequired',
);
/**
 * What `@cfworker/json-schema` 4.1.6 does not check in full: it does not follow `$dynamicRef`, follows
 * `$recursiveRef` to its own place, and takes for evaluated what a schema around evaluates.
 */
const UNSUPPORTED = namesOf(
  '$dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor unevaluatedItems unevaluatedProperties contentSchema',
);
const UNSUPPORTED_FORMATS = namesOf('idn-email idn-hostname iri iri-reference');
/** Each part would have a base or a dialect of its own. */
const FOR_ROOT = namesOf('$id $schema');
/** Other dialects ignore these keywords; the library applies most of them whatever the dialect. */
const DIALECTS_OF = new Map<string, readonly SchemaDialect[]>([
  ['prefixItems', ['2020-12']],
  ['additionalItems', ['7', '2019-09']],
  ...[...namesOf('$anchor minContains maxContains dependentRequired dependentSchemas')].map(
    (name) => [name, ['2019-09', '2020-12']] as const,
  ),
]);

/** Keywords that draft-06, which is read as draft-07, does not have. */
const NOT_IN_6 = namesOf('if then else');

export class SchemaFault extends Error {
  constructor(fault: string, path: Path) {
    super(path.length === 0 ? fault : `${fault} (${pathText(path)})`);
  }
}

/**
 * A copy with the keywords that are checked; references are names of `lookup`, and so lead to nothing else.
 * @throws SchemaFault if it could not be checked in full
 */
function readSchema(root: JsonObject) {
  const dialect = dialectOf(root['$schema']);
  if (!dialect) throw new SchemaFault(NO_DIALECT, []);
  const isDraft6 = String(root['$schema']).includes('/draft-06/');
  const lookup = Object.create(null) as Record<string, Schema | boolean>;
  const references: { readonly target: string; readonly path: Path }[] = [];
  const define = (name: string, part: Schema | boolean, path: Path) => {
    if (lookup[name] !== undefined) throw new SchemaFault('it has one $anchor twice', path);
    lookup[name] = part;
  };
  const readAll = (parts: readonly unknown[], path: Path) =>
    parts.map((part, at) => readPart(part, [...path, at]));
  const readNamed = (parts: unknown, path: Path) =>
    membersOf(Object(parts) as object, (part, name) =>
      Array.isArray(part) ? part : readPart(part, [...path, name]),
    );
  const readPart = (part: unknown, path: Path): Schema | boolean => {
    const schema = isJsonObject(part)
      ? (membersOf(part, (value, keyword) =>
          readKeyword(keyword, value, [...path, keyword]),
        ) as Schema)
      : part !== false;
    define(pointerTo(path), schema, path);
    const anchor = memberOf(part, '$anchor');
    if (anchor !== undefined) define(`#${String(anchor)}`, schema, [...path, '$anchor']);
    return schema;
  };
  const readKeyword = (keyword: string, value: unknown, path: Path) => {
    const isForeign = DIALECTS_OF.get(keyword)?.includes(dialect) === false;
    if (isForeign || (isDraft6 && NOT_IN_6.has(keyword)))
      throw new SchemaFault('it has a keyword that its $schema does not have', path);
    const isTooDeep = FOR_ROOT.has(keyword) && path.length > 1;
    const isUnsupported = keyword === 'format' && UNSUPPORTED_FORMATS.has(String(value));
    if (isTooDeep || isUnsupported || UNSUPPORTED.has(keyword)) {
      throw new SchemaFault('it has what is not supported', path);
    }
    if (keyword === '$ref') {
      const target = targetOf(value);
      references.push({ target, path });
      return target;
    }
    if (WITH_NAMED_SCHEMAS.has(keyword)) return readNamed(value, path);
    if (WITH_SCHEMAS.has(keyword)) {
      return Array.isArray(value) ? readAll(value, path) : readPart(value, path);
    }
    return WITHOUT_SCHEMAS.has(keyword) ? value : undefined;
  };
  const schema = readPart(root, []);
  const lost = references.find(({ target }) => lookup[target] === undefined);
  if (lost) throw new SchemaFault('it has a $ref to what is not in it', lost.path);
  return { schema, lookup };
}

const membersOf = (object: object, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );

const pointerTo = (path: Path) =>
  ['#', ...path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

function targetOf(reference: unknown): string {
  try {
    return decodeURIComponent(String(reference));
  } catch {
    return '';
  }
}

/** Why an object cannot be used as a schema; undefined when it can. */
export function schemaFault(object: JsonObject): string | undefined {
  try {
    const dialect = dialectOf(object['$schema']);
    const errors = dialect ? metaSchemaOf(dialect).validate(object).errors : [];
    const ofPattern = errors.find(({ error }) => error.includes('format "regex"'));
    const error = ofPattern ?? decidingError(errors);
    if (!error) return void readSchema(object);
    const fault = ofPattern
      ? 'it has a pattern that is no regular expression with flag u'
      : 'it is no valid JSON Schema';
    return new SchemaFault(fault, follow(object, stepsOf(error.instanceLocation)).path).message;
  } catch (error) {
    if (error instanceof SchemaFault) return error.message;
    throw error;
  }
}

function isPattern(text: string) {
  try {
    new RegExp(text, 'u').test('');
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

// The library takes any member of this object for a format.
Object.setPrototypeOf(formats, null);
const isDateTime = formats['date-time'];
// The library takes leading zeros, any white space for the `T`, and patterns that it failed to read for none.
Object.assign(formats, {
  ipv4: isIPv4,
  ipv6: (text: string) => isIPv6(text) && !text.includes('%'),
  'date-time': (text: string) => /^\S+$/.test(text) && isDateTime?.(text),
  regex: isPattern,
});

export function metaSchemaOf(dialect: SchemaDialect): Validator {
  const known = validators.get(dialect);
  if (known) return known;
  const root = read(META_SCHEMAS[dialect]);
  // Draft-07 does not know `$defs`, whose schemas are checked here in every dialect.
  if (dialect === '7')
    Object.assign(root.properties ?? {}, { $defs: root.properties?.['definitions'] });
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
