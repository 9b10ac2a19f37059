import { isJsonObject } from '#libs/json';
import type { Rule, Site, Verdict } from './evaluation.js';
import { memberOf } from './misfit.js';
import { missing, namesOf } from './object-rules.js';

const schemasIn = (argument: unknown): readonly unknown[] =>
  Array.isArray(argument) ? argument : [];

/** Whether a schema takes the same value; undefined when it seems to, in doubt. */
function takes(site: Site, schema: unknown): boolean | undefined {
  const doubtsBefore = site.run.doubts;
  if (site.run.check(schema, site)) return false;
  return site.run.doubts > doubtsBefore ? undefined : true;
}

const also = (site: Site, schema: unknown): Verdict => site.run.check(schema, site) ?? true;

const follow: Rule = (site) => {
  const target = site.run.references.find(String(site.argument));
  return target === undefined ? false : also(site, target);
};

/** Where an object has a member, it has others too, or another schema takes it. */
const followDependents: Rule = (site) => {
  const { value, argument } = site;
  if (!isJsonObject(value) || !isJsonObject(argument)) return true;
  site.run.spend(Object.keys(argument).length);
  for (const [name, need] of Object.entries(argument)) {
    if (!Object.hasOwn(value, name)) continue;
    const verdict = Array.isArray(need) ? missing(site, need) : also(site, need);
    if (verdict !== true) return verdict;
  }
  return true;
};

/** What holds when other schemas do, for the same value. */
export const combiningRules: readonly [string, Rule][] = [
  ['$ref', follow],
  ['$dynamicRef', follow],
  ['$recursiveRef', follow],
  [
    'allOf',
    (site) => {
      for (const schema of schemasIn(site.argument)) {
        const verdict = also(site, schema);
        if (verdict !== true) return verdict;
      }
      return true;
    },
  ],
  [
    'anyOf',
    (site) => schemasIn(site.argument).filter((schema) => takes(site, schema) !== false).length > 0,
  ],
  [
    'oneOf',
    (site) => {
      const answers = schemasIn(site.argument).map((schema) => takes(site, schema));
      const sure = answers.filter((answer) => answer === true).length;
      return sure === 1 || (sure === 0 && answers.includes(undefined));
    },
  ],
  ['not', (site) => takes({ ...site, seen: new Set() }, site.argument) !== true],
  [
    'if',
    (site) => {
      const isSo = takes(site, site.argument);
      if (isSo === undefined) return true;
      return also(site, memberOf(site.schema, isSo ? 'then' : 'else'));
    },
  ],
  ['dependentRequired', followDependents],
  ['dependentSchemas', followDependents],
  ['dependencies', followDependents],
  [
    'unevaluatedItems',
    ({ run, value, argument, path, seen }) => {
      run.spend(Array.isArray(value) ? value.length : 0);
      const rest = Array.isArray(value) ? [...value.keys()].filter((at) => !seen.has(at)) : [];
      for (const index of rest) {
        const misfit = run.checkInside(argument, memberOf(value, String(index)), [...path, index]);
        if (misfit) return misfit;
        seen.add(index);
      }
      return true;
    },
  ],
  [
    'unevaluatedProperties',
    ({ run, schema, value, argument, path, seen }) => {
      const rest = namesOf({ run, value }).filter((name) => !seen.has(name));
      if (argument === false && rest.length > 0) {
        return { path, keyword: 'unevaluatedProperties', schema };
      }
      for (const name of rest) {
        const misfit = run.checkInside(argument, memberOf(value, name), [...path, name]);
        if (misfit) return misfit;
        seen.add(name);
      }
      return true;
    },
  ],
];
