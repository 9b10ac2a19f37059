import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { JsonObject } from '../json/json-object.js';
import { dialectOf } from './dialects.ts';
import { LinearPattern } from './linear-pattern.ts';
import { type Misfit, memberOf } from './misfit.ts';
import { misfitText } from './misfit-text.ts';

type Lookup = Readonly<Record<string, Schema | boolean>>;

/** What is said of these is said better by what comes after them. */
const LEADS_ON = new Set(
  (
    '$ref $recursiveRef allOf if dependentSchemas properties patternProperties additionalProperties ' +
    'unevaluatedProperties prefixItems items additionalItems unevaluatedItems'
  ).split(' '),
);
const OF_OTHERS = new Set(['additionalProperties', 'unevaluatedProperties']);
const OF_MISSING = new Set(['required', 'dependentRequired', 'dependencies']);

/** What patterns say that cannot be run: all, none, or every other one of them match. */
const PRESUMPTIONS = [() => true, () => false, isOdd, (nth: number) => !isOdd(nth)] as const;

/**
 * What of a JSON value a schema does not take, in words; undefined when it fits. Where patterns cannot be run, it
 * fits when it does by one of the presumptions.
 */
export function misfitIn(schema: JsonObject, value: unknown): string | undefined {
  const lookup = dereference(schema as Schema);
  let errors: readonly OutputUnit[] = [];
  for (const presume of PRESUMPTIONS) {
    LinearPattern.reset(presume);
    const result = validate(value, schema as Schema, dialectOf(schema['$schema']), lookup);
    if (result.valid) return undefined;
    errors = result.errors;
    if (LinearPattern.presumptions === 0) break;
  }
  return misfitText(misfitOf(errors, { schema, value, lookup }));
}

function isOdd(nth: number) {
  return nth % 2 === 1;
}

interface Checked {
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly lookup: Lookup;
}

function misfitOf(errors: readonly OutputUnit[], { schema: root, value, lookup }: Checked): Misfit {
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

/** The first member that an object lacks, of a list of names or of those that others need. */
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
