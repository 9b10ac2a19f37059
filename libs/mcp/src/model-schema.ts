import { isDeepStrictEqual } from 'node:util';
import { dialectOf, isJsonObject, type JsonObject, placesIn, quoted } from '#libs/platform';
import { ANY_JSON } from './any-json.js';
import type { ObjectSchema } from './tool.js';

/** In characters of JSON: what references lead to, and what else a listed schema has more than its original. */
const MAX_ADDED = 64 * 1024;
/** What each part, and each member of an alternative, counts there: it takes about as long. */
const PART_COSTS = 8;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

const namesOf = (text: string) => new Set(text.split(' '));

const OF_NUMBERS = namesOf('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf');
/** The keywords that check values of one type. */
const KEYWORDS_OF = new Map([
  [
    'object',
    namesOf(
      'properties required additionalProperties patternProperties dependentRequired minProperties maxProperties',
    ),
  ],
  ['array', namesOf('items minItems maxItems uniqueItems')],
  ['string', namesOf('minLength maxLength pattern format contentEncoding contentMediaType')],
  ['number', OF_NUMBERS],
  ['integer', OF_NUMBERS],
]);
const TYPED = new Set([...KEYWORDS_OF.values()].flatMap((keywords) => Array.from(keywords)));
const ALL_TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'];
const CHOICES = ['anyOf', 'oneOf', 'allOf', '$ref'];
const WITH_ONE = namesOf('items additionalItems additionalProperties');
const WITH_LIST = namesOf('allOf anyOf oneOf prefixItems items');
const WITH_NAMED = namesOf('properties patternProperties');
/** Without them a schema accepts more; with what a looser subschema accepts, some would accept less. */
const LEFT_OUT = namesOf(
  'not if then else contains minContains maxContains propertyNames dependentSchemas dependencies ' +
    'unevaluatedItems unevaluatedProperties $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor ' +
    '$schema $id $anchor $vocabulary $defs definitions',
);

const pick = (schema: JsonObject, takes: (keyword: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => takes(keyword)));
const wordsOf = (schema: unknown) =>
  isJsonObject(schema) ? pick(schema, (name) => name === 'title' || name === 'description') : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const possibleOf = (value: unknown) => listOf(value).filter((part) => part !== false);
const namesIn = (value: unknown) => listOf(value).map(String);
const membersIn = (value: unknown) => Object.entries(isJsonObject(value) ? value : {});
const lengthOf = (value: unknown) => JSON.stringify(value).length;

class Unlistable extends Error {}

interface Rule {
  readonly keywords?: readonly string[];
  /** A form that accepts at least the same; its subschemas are in theirs already. */
  readonly apply: (schema: JsonObject, listing: Listing) => JsonObject;
}

/** In the order in which they are applied, with who refuses what breaks them. That for roots is `withoutChoice`. */
const RULES: readonly Rule[] = [
  // A choice is anyOf (OpenAI, Gemini; and more than one part of oneOf may accept a value once they accept more).
  {
    keywords: ['anyOf', 'oneOf', 'allOf'],
    apply: ({ oneOf, anyOf = oneOf, allOf, ...rest }) => ({
      ...rest,
      ...(possibleOf(anyOf).length > 0 && { anyOf: possibleOf(anyOf) }),
      ...(possibleOf(allOf).length > 0 && { allOf: possibleOf(allOf) }),
    }),
  },
  // Items are one schema, neither a tuple nor a boolean (OpenAI, Gemini).
  {
    keywords: ['items', 'prefixItems'],
    apply: ({ prefixItems, additionalItems, items, ...rest }, listing) => {
      const [tuple, beyond] = Array.isArray(items)
        ? [items, additionalItems]
        : [prefixItems, items];
      const count = listOf(tuple).length;
      const most = Number(rest['maxItems'] ?? Infinity);
      const isClosed = beyond === false || most <= count;
      const options = possibleOf(tuple);
      if (!isClosed) options.push(isJsonObject(beyond) ? beyond : listing.anything());
      const [first = listing.anything(), ...others] = options;
      return {
        ...rest,
        items: others.length > 0 ? { anyOf: options } : first,
        ...(isClosed && { maxItems: Math.min(most, count) }),
      };
    },
  },
  // Names of properties have 1 to 64 of A-Za-z0-9_.-, and the required ones are among them (Anthropic; Gemini).
  {
    keywords: ['properties', 'required'],
    apply: ({ properties, additionalProperties, ...rest }, listing) => {
      const required = namesIn(rest['required']);
      const odd = required.find((name) => !KEY.test(name));
      if (odd !== undefined) {
        const only = 'models take names of 1 to 64 of A-Za-z0-9_.-';
        throw new Unlistable(`it requires the property ${quoted(odd)}; ${only}`);
      }
      const all = membersIn(properties);
      const fit = all.filter(([name]) => KEY.test(name));
      const shown = new Map(fit.filter(([, part]) => part !== false));
      for (const name of required) if (!shown.has(name)) shown.set(name, listing.anything());
      const isWhole = additionalProperties !== undefined && fit.length === all.length;
      return {
        ...rest,
        properties: Object.fromEntries(shown),
        ...(isWhole && { additionalProperties }),
      };
    },
  },
  // A schema has one type, or a choice of types (Gemini), and an array has items (OpenAI, VS Code).
  {
    apply: (schema, listing) => {
      const { type, ...rest } = schema;
      const withItems = (part: JsonObject) =>
        part['type'] === 'array' ? { items: listing.anything(), ...part } : part;
      if (typeof type === 'string') return withItems(schema);
      if (CHOICES.some((keyword) => rest[keyword] !== undefined)) return rest;
      const { const: value, enum: values = value === undefined ? undefined : [value] } = rest;
      const types = [...new Set(namesIn(type ?? listOf(values).map(typeOf)))];
      const isOpen = types.length === 0 && !Object.keys(rest).some((name) => TYPED.has(name));
      if (isOpen) return { ...rest, ...listing.anything() };
      const options = (types.length === 0 ? ALL_TYPES : types).flatMap((option): JsonObject[] => {
        const taken = listOf(values).filter((candidate) => isOf(option, candidate));
        if (values !== undefined && taken.length === 0) return [];
        const own = pick(rest, (name) => KEYWORDS_OF.get(option)?.has(name) === true);
        const its = rest['enum'] !== undefined && { enum: taken };
        return [withItems({ ...own, type: option, ...its })];
      });
      const around = pick(rest, (name) => !TYPED.has(name) && name !== 'enum');
      const [only = listing.anything(), ...others] = options;
      return { ...around, ...(others.length === 0 ? only : { anyOf: options }) };
    },
  },
  // $ref leads to $defs and stands alone (OpenAI, Gemini; converters follow no other reference).
  {
    keywords: ['$ref'],
    apply: ({ $ref, ...rest }, listing) => {
      if (rest['anyOf'] !== undefined) return rest;
      const alone = { $ref: `#/$defs/${listing.define(String($ref))}` };
      return Object.keys(rest).length === 0 ? alone : { ...rest, anyOf: [alone] };
    },
  },
];

function typeOf(value: unknown) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isOf = (type: string, value: unknown) =>
  typeOf(value) === (type === 'integer' ? 'number' : type);

interface Members {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}

const NO_MEMBERS: Members = { properties: new Map(), required: new Set() };

class Listing {
  private readonly dialect;
  private readonly places;
  private readonly names = new Map<unknown, string>();
  private readonly $defs = new Map<string, unknown>();
  private readonly members = new Map<unknown, Members>();
  private added = 0;

  constructor(private readonly root: JsonObject) {
    this.dialect = dialectOf(root['$schema']);
    this.places = placesIn(root);
  }

  list(): ObjectSchema {
    const part = this.partOf({ ...this.withoutChoice(), type: 'object' });
    const $defs = this.$defs.size > 0 && { $defs: Object.fromEntries(this.$defs) };
    return { ...part, ...$defs, type: 'object' };
  }

  anything(): JsonObject {
    this.add(lengthOf(ANY_JSON));
    return ANY_JSON;
  }

  /** The name in `$defs` of what a reference leads to. */
  define(reference: string): string {
    const target = this.targetOf(reference);
    const key = isJsonObject(target) ? target : reference;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    this.add(lengthOf(target));
    const last = /[^/#]*$/.exec(reference)?.[0] ?? '';
    const plain = KEY.test(last) ? last.slice(0, 48) : 'part';
    let name = plain;
    for (let n = this.$defs.size; this.$defs.has(name); n += 1) name = `${plain}.${n}`;
    this.names.set(key, name);
    this.$defs.set(name, ANY_JSON);
    this.$defs.set(name, this.schemaOf(target) || ANY_JSON);
    return name;
  }

  private add(characters: number) {
    this.added += characters;
    if (this.added > MAX_ADDED) throw new Unlistable('for models it would be over 64 KiB longer');
  }

  private targetOf(reference: string): unknown {
    const target = this.places(reference);
    if (target === undefined) throw new Unlistable('it has a $ref to what is not in it');
    return target;
  }

  /** Anthropic refuses `oneOf`, `anyOf` and `allOf` at the root; some clients a `$ref` there. */
  private withoutChoice(): JsonObject {
    if (CHOICES.every((keyword) => this.root[keyword] === undefined)) return this.root;
    const { properties, required } = this.membersOf(this.root);
    return {
      ...pick(
        this.effective(this.root),
        (name) => !CHOICES.includes(name) && name !== 'additionalProperties',
      ),
      properties: Object.fromEntries(properties),
      required: [...required],
    };
  }

  private membersOf(part: unknown): Members {
    const known = this.members.get(part);
    if (known || !isJsonObject(part)) return known ?? NO_MEMBERS;
    // For a circle.
    this.members.set(part, NO_MEMBERS);
    const { $ref, allOf, anyOf, oneOf, properties, required } = this.effective(part);
    const all = [...listOf(allOf), $ref === undefined ? true : this.targetOf(String($ref))];
    const inner = [
      ...all.map((schema) => this.membersOf(schema)),
      ...[anyOf, oneOf].filter(Array.isArray).map((choice) => this.inCommon(choice)),
    ];
    const found = {
      properties: new Map([...this.merged(inner), ...membersIn(properties)]),
      required: new Set(
        [namesIn(required), ...inner.map((members) => Array.from(members.required))].flat(),
      ),
    };
    this.members.set(part, found);
    return found;
  }

  private inCommon(choice: readonly unknown[]): Members {
    const all = possibleOf(choice).map((alternative) => this.membersOf(alternative));
    const [first = NO_MEMBERS, ...others] = new Set(all);
    const isCommon = (name: string) => others.every(({ required }) => required.has(name));
    return {
      properties: this.merged([first, ...others], others.length + 1),
      required: new Set([...first.required].filter(isCommon)),
    };
  }

  /** All properties; what is defined differently, or in fewer alternatives, keeps only its words. */
  private merged(all: readonly Members[], times = 1): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown[]>();
    for (const { properties, required } of all) {
      this.add((properties.size + required.size) * PART_COSTS);
      for (const [name, part] of properties) found.set(name, [...(found.get(name) ?? []), part]);
    }
    const mergedOf = ([part, ...others]: readonly unknown[]) =>
      others.length + 1 >= times &&
      others.every((other) => other === part || isDeepStrictEqual(other, part))
        ? part
        : wordsOf(part);
    return new Map([...found].map(([name, parts]) => [name, mergedOf(parts)]));
  }

  /** Without what its dialect ignores. */
  private effective(schema: JsonObject): JsonObject {
    if (this.dialect === '2020-12') return schema;
    const { prefixItems: _prefixItems, ...rest } = schema;
    const { $ref } = rest;
    return this.dialect === '7' && $ref !== undefined ? { ...wordsOf(rest), $ref } : rest;
  }

  /** `outer` is the type that the schema around leaves, if it is one. */
  private partOf(source: JsonObject, outer?: unknown): JsonObject {
    if (source['anyOf'] === ANY_JSON.anyOf) return source;
    if (source['$id'] !== undefined && source['$id'] !== this.root['$id']) {
      throw new Unlistable('it has an $id below its root');
    }
    this.add(PART_COSTS);
    const effective = this.effective(source);
    const hasOwn = ['type', '$ref', 'enum', 'const'].some((name) => effective[name] !== undefined);
    const part = outer === undefined || hasOwn ? effective : { ...effective, type: outer };
    const type = typeof part['type'] === 'string' ? part['type'] : undefined;
    let schema: JsonObject = Object.fromEntries(
      Object.entries(part)
        .filter(([keyword]) => !LEFT_OUT.has(keyword))
        .map(([keyword, value]) => [keyword, this.innerOf(keyword, value, type)]),
    );
    for (const { keywords, apply } of RULES) {
      const isFor = keywords?.some((keyword) => schema[keyword] !== undefined) ?? true;
      if (isFor) schema = apply(schema, this);
    }
    return schema;
  }

  private innerOf(keyword: string, value: unknown, type: unknown): unknown {
    if (WITH_LIST.has(keyword) && Array.isArray(value)) {
      const outer = keyword.endsWith('Of') ? type : undefined;
      return value.map((part) => this.schemaOf(part, outer));
    }
    if (WITH_ONE.has(keyword)) return isJsonObject(value) ? this.partOf(value) : value;
    if (!WITH_NAMED.has(keyword)) return value;
    return Object.fromEntries(membersIn(value).map(([name, part]) => [name, this.schemaOf(part)]));
  }

  private schemaOf(source: unknown, outer?: unknown): unknown {
    if (isJsonObject(source)) return this.partOf(source, outer);
    return source === false ? false : this.anything();
  }
}

/** A tool's schema in a form that known models take, which accepts all that the schema accepts; else the reason. */
export function listedSchema(
  schema: JsonObject,
): { readonly schema: ObjectSchema } | { readonly reason: string } {
  try {
    return { schema: new Listing(schema).list() };
  } catch (error) {
    if (error instanceof Unlistable) return { reason: error.message };
    throw error;
  }
}
