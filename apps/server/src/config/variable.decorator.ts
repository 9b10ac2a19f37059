import { Transform } from 'class-transformer';
import { IsInt, ValidateBy } from 'class-validator';

const descriptions = new Map<string, string>();

/** A variable, with what it takes in words, for the line that reports a bad value. */
export const Variable =
  (description: string) => (_prototype: object, variable: string | symbol) => {
    descriptions.set(String(variable), description);
  };

export const describeVariable = (variable: string) => descriptions.get(variable) ?? 'another value';

/** Holds a variable to a rule of our own; each entry of a list is held to it. */
export const Satisfies = (rule: (value: string) => boolean) =>
  ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value: unknown) =>
        (Array.isArray(value) ? value : [value]).every((v) => typeof v === 'string' && rule(v)),
    },
  });

/** Entries with commas in between. */
export const List = () => Transform(({ value }) => splitList(value), { toClassOnly: true });
const splitList = (value: unknown) =>
  typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value;

/** Digits and nothing else: `Number` would take a blank for 0 and read hexadecimals. */
const digits = Transform(
  ({ obj, key }) => (/^\d+$/.test(String(obj[key])) ? Number(obj[key]) : Number.NaN),
  { toClassOnly: true },
);

export const Whole = () => (target: object, key: string) => {
  digits(target, key);
  IsInt()(target, key);
};
