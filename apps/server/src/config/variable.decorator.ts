import { ValidateBy } from 'class-validator';

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
