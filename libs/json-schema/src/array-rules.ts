import { canonicalJson } from '#libs/json';
import type { Rule, Site, Verdict } from './evaluation.js';
import { memberOf } from './misfit.js';

const countRule =
  (holds: (count: number, bound: number) => boolean): Rule =>
  ({ value, argument }) =>
    !Array.isArray(value) || typeof argument !== 'number' || holds(value.length, argument);

/** Elements from `start` on, each by `schemaAt` its index. */
function checkElements(
  { run, value, path, seen }: Site,
  start: number,
  schemaAt: (index: number) => unknown,
): Verdict {
  if (!Array.isArray(value)) return true;
  for (let index = start; index < value.length; index += 1) {
    const misfit = run.checkInside(schemaAt(index), value[index], [...path, index]);
    if (misfit) return misfit;
    seen.add(index);
  }
  return true;
}

function checkFirst(site: Site, schemas: readonly unknown[]): Verdict {
  const { value } = site;
  if (!Array.isArray(value)) return true;
  return checkElements({ ...site, value: value.slice(0, schemas.length) }, 0, (at) => schemas[at]);
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

/** What an array has to have in it. `items` may be a list, as it was before 2020-12. */
export const arrayRules: readonly [string, Rule][] = [
  ['minItems', countRule((count, bound) => count >= bound)],
  ['maxItems', countRule((count, bound) => count <= bound)],
  [
    'uniqueItems',
    ({ run, value, argument }) => {
      if (argument !== true || !Array.isArray(value)) return true;
      const texts = value.map((each) => canonicalJson(each));
      run.spend(texts.reduce((steps, { length }) => steps + 1 + length / 8, 0));
      return new Set(texts).size === texts.length;
    },
  ],
  ['prefixItems', (site) => checkFirst(site, Array.isArray(site.argument) ? site.argument : [])],
  [
    'items',
    (site) => {
      const { schema, argument } = site;
      if (Array.isArray(argument)) return checkFirst(site, argument);
      return checkElements(site, lengthOf(memberOf(schema, 'prefixItems')), () => argument);
    },
  ],
  [
    'additionalItems',
    (site) => {
      const items = memberOf(site.schema, 'items');
      return !Array.isArray(items) || checkElements(site, items.length, () => site.argument);
    },
  ],
  [
    'contains',
    ({ run, schema, argument, value, path, seen }) => {
      if (!Array.isArray(value)) return true;
      const doubtsBefore = run.doubts;
      const found = value.flatMap((each, index) =>
        run.checkInside(argument, each, [...path, index]) ? [] : [index],
      );
      const [least, most] = [memberOf(schema, 'minContains'), memberOf(schema, 'maxContains')];
      found.forEach((index) => seen.add(index));
      if (found.length < (typeof least === 'number' ? least : 1)) return false;
      return typeof most !== 'number' || found.length <= most || run.doubts > doubtsBefore;
    },
  ],
];
