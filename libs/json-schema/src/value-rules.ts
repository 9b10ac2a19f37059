import { canonicalJson, isJsonObject } from '#libs/json';
import type { Rule } from './evaluation.js';
import { fitsFormat } from './formats.js';

const numberRule =
  (holds: (value: number, bound: number) => boolean): Rule =>
  ({ value, argument }) =>
    typeof value !== 'number' || typeof argument !== 'number' || holds(value, argument);

const lengthRule =
  (holds: (length: number, bound: number) => boolean): Rule =>
  ({ run, value, argument }) => {
    if (typeof value !== 'string' || typeof argument !== 'number') return true;
    run.spend(value.length / 8);
    return holds([...value].length, argument);
  };

/** What a value by itself has to be. */
export const valueRules: readonly [string, Rule][] = [
  ['type', ({ value, argument }) => [argument].flat().some((type) => isOfType(value, type))],
  [
    'enum',
    ({ run, value, argument }) => {
      const text = canonicalJson(value);
      const options = Array.isArray(argument) ? argument.map((each) => canonicalJson(each)) : [];
      run.spend([text, ...options].reduce((steps, { length }) => steps + 1 + length / 8, 0));
      return options.includes(text);
    },
  ],
  [
    'const',
    ({ run, value, argument }) => {
      const [text, only] = [canonicalJson(value), canonicalJson(argument)];
      run.spend((text.length + only.length) / 8);
      return text === only;
    },
  ],
  ['minimum', numberRule((value, bound) => value >= bound)],
  ['maximum', numberRule((value, bound) => value <= bound)],
  ['exclusiveMinimum', numberRule((value, bound) => value > bound)],
  ['exclusiveMaximum', numberRule((value, bound) => value < bound)],
  ['multipleOf', numberRule((value, unit) => isWhole(value / unit))],
  ['minLength', lengthRule((length, bound) => length >= bound)],
  ['maxLength', lengthRule((length, bound) => length <= bound)],
  [
    'pattern',
    ({ run, value, argument }) =>
      typeof value !== 'string' || (run.matches(String(argument), value) ?? true),
  ],
  [
    'format',
    ({ run, value, argument }) => {
      if (typeof value !== 'string') return true;
      run.spend(value.length / 8);
      return fitsFormat(String(argument), value);
    },
  ],
];

function isOfType(value: unknown, type: unknown) {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'null' ? value === null : typeof value === type;
}

/** 0.3 is three times 0.1. */
function isWhole(quotient: number) {
  const distance = Math.abs(quotient - Math.round(quotient));
  return distance <= Math.abs(quotient) * 1e-9;
}
