import { Transform } from 'class-transformer';
import { IsIn, ValidateBy } from 'class-validator';

type Rule = (value: string) => boolean;

/** `takes` says in words what the variable takes, for the line that reports a bad value. */
const heldTo = (takes: string, validate: (value: unknown) => boolean) =>
  ValidateBy({ name: 'rule', validator: { validate } }, { message: takes });

/** A text that is held to a rule. */
export const Text = (takes: string, rule: Rule = () => true) =>
  heldTo(takes, (value) => typeof value === 'string' && rule(value));

export const OneOf = (takes: string, values: readonly string[]) => IsIn(values, { message: takes });

/** Entries with commas in between, each of which is held to a rule. */
export const List =
  (takes: string, rule: Rule, most = Infinity) =>
  (target: object, key: string) => {
    Transform(({ value }) =>
      String(value)
        .split(',')
        .map((entry) => entry.trim()),
    )(target, key);
    const isList = (value: unknown) =>
      Array.isArray(value) && value.length <= most && value.every((entry: string) => rule(entry));
    heldTo(takes, isList)(target, key);
  };

/** A whole number in digits and nothing else: `Number` would take a blank for 0 and read hexadecimals. */
export const Whole =
  (takes: string, least: number, most = Infinity) =>
  (target: object, key: string) => {
    Transform(({ value }) => (/^\d+$/.test(String(value)) ? Number(value) : NaN))(target, key);
    const isInRange = (value: unknown) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
    heldTo(takes, isInRange)(target, key);
  };
