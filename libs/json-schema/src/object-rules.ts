import { isJsonObject, type JsonObject } from '#libs/json';
import type { Rule, Site, Verdict } from './evaluation.js';
import { isSchema, memberOf } from './misfit.js';

/** Of values that are objects, for keywords that hold an object. */
const objectRule =
  (holds: (site: Site, value: JsonObject, argument: JsonObject) => Verdict): Rule =>
  (site) =>
    !isJsonObject(site.value) ||
    !isJsonObject(site.argument) ||
    holds(site, site.value, site.argument);

const countRule =
  (holds: (count: number, bound: number) => boolean): Rule =>
  (site) =>
    !isJsonObject(site.value) ||
    typeof site.argument !== 'number' ||
    holds(namesOf(site).length, site.argument);

/** The members that a schema is for, each once. */
function checkMembers({ run, value, path, seen }: Site, names: string[], schema: unknown): Verdict {
  for (const name of names) {
    const misfit = run.checkInside(schema, memberOf(value, name), [...path, name]);
    if (misfit) return misfit;
    seen.add(name);
  }
  return true;
}

/** Of the members of a value, which take steps to count. */
export const namesOf = ({ run, value }: Pick<Site, 'run' | 'value'>): string[] => {
  const names = isJsonObject(value) ? Object.keys(value) : [];
  run.spend(names.length);
  return names;
};

/** The first of the names that the object does not have. */
export const missing = ({ value, schema, path }: Site, names: unknown): Verdict => {
  const name = Array.isArray(names)
    ? names.find((each) => typeof each === 'string' && !Object.hasOwn(Object(value), each))
    : undefined;
  if (typeof name !== 'string') return true;
  const properties = memberOf(schema, 'properties');
  const inside = memberOf(properties, name);
  return {
    path: [...path, name],
    keyword: 'required',
    schema: isSchema(inside) ? inside : true,
  };
};

/** What an object has to have in it. */
export const objectRules: readonly [string, Rule][] = [
  ['minProperties', countRule((count, bound) => count >= bound)],
  ['maxProperties', countRule((count, bound) => count <= bound)],
  [
    'required',
    (site) => {
      if (!isJsonObject(site.value)) return true;
      site.run.spend([site.argument].flat().length);
      return missing(site, site.argument);
    },
  ],
  [
    'properties',
    objectRule((site, value, properties) => {
      for (const name of Object.keys(properties)) {
        site.run.spend(1);
        if (!Object.hasOwn(value, name)) continue;
        const verdict = checkMembers(site, [name], properties[name]);
        if (verdict !== true) return verdict;
      }
      return true;
    }),
  ],
  [
    'patternProperties',
    objectRule((site, _value, patterns) => {
      for (const [pattern, schema] of Object.entries(patterns)) {
        for (const name of namesOf(site)) {
          const isMatch = site.run.matches(pattern, name);
          const verdict = isMatch === true ? checkMembers(site, [name], schema) : true;
          if (verdict !== true) return verdict;
          if (isMatch !== false) site.seen.add(name);
        }
      }
      return true;
    }),
  ],
  [
    'additionalProperties',
    (site) => {
      const { run, schema, argument, path } = site;
      const named = memberOf(schema, 'properties');
      const patterns = Object.keys(Object(memberOf(schema, 'patternProperties')));
      const others = namesOf(site).filter(
        (name) =>
          !Object.hasOwn(Object(named), name) &&
          patterns.every((pattern) => run.matches(pattern, name) === false),
      );
      if (argument === false && others.length > 0) {
        return { path, keyword: 'additionalProperties', schema };
      }
      return checkMembers(site, others, argument);
    },
  ],
  [
    'propertyNames',
    (site) => namesOf(site).every((name) => !site.run.checkInside(site.argument, name, site.path)),
  ],
];
