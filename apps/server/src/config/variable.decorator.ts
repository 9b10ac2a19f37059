import { Transform } from 'class-transformer';
import { IsIn, ValidateBy } from 'class-validator';

type Rule = (value: string) => boolean;

/** `takes` describes the accepted values, for the line that reports a bad one. */
const heldTo = (takes: string, validate: (value: unknown) => boolean) =>
  ValidateBy({ name: 'rule', validator: { validate } }, { message: takes });

/** A text that satisfies a rule. */
export const Text = (takes: string, rule: Rule = () => true) =>
  heldTo(takes, (value) => typeof value === 'string' && rule(value));

export const OneOf = (takes: string, values: readonly string[]) => IsIn(values, { message: takes });

/** Comma-separated entries, each of which satisfies a rule. */
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

/** A whole number in plain digits: `Number` would read a blank as 0 and accept hexadecimals. */
export const Whole =
  (takes: string, least: number, most = Infinity) =>
  (target: object, key: string) => {
    Transform(({ value }) => (/^\d+$/.test(String(value)) ? Number(value) : NaN))(target, key);
    const isInRange = (value: unknown) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
    heldTo(takes, isInRange)(target, key);
  };
