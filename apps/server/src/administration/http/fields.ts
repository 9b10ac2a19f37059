import { isPublicOrigin } from '../../config/variable-rules.js';
import { parseTime, type Direction } from '../asked-time.js';
import { ROWS } from '../bounds.js';

/** One value from outside: what it is, for people and for the document, and how it is read. */
export interface Field<Value> {
  /** JSON Schema (2020-12). */
  readonly schema: object;
  /** What it takes, in words. */
  readonly takes: string;
  readonly isRequired: boolean;
  /** What stands in for it where it is missing. */
  readonly fallback: () => Value | undefined;
  /** Undefined for anything else. */
  readonly parse: (value: unknown) => Value | undefined;
}

type Rule<Value> = Pick<Field<Value>, 'schema' | 'takes' | 'parse'>;

const field = <Value>(rule: Rule<Value>): Field<Value> => ({
  ...rule,
  isRequired: true,
  fallback: () => undefined,
});

export const optional = <Value>(given: Field<Value>): Field<Value | undefined> => ({
  ...given,
  isRequired: false,
});

export const withDefault = <Value>(given: Field<Value>, fallback: () => Value): Field<Value> => ({
  ...given,
  isRequired: false,
  fallback,
});

/** Text of 1 to so many characters, none of them NUL, which Postgres does not take. */
export const text = (maxLength: number): Field<string> =>
  field({
    schema: { type: 'string', minLength: 1, maxLength },
    takes: `1 to ${maxLength} characters`,
    parse: (value) =>
      typeof value === 'string' &&
      value !== '' &&
      value.length <= maxLength &&
      !value.includes('\0')
        ? value
        : undefined,
  });

export const oneOf = <const Value extends string>(values: readonly Value[]): Field<Value> =>
  field({
    schema: { type: 'string', enum: values },
    takes: `one of ${values.join(', ')}`,
    parse: (value) => values.find((each) => each === value),
  });

export const listOf = <Value>(item: Field<Value>, maxItems: number): Field<readonly Value[]> =>
  field({
    schema: { type: 'array', minItems: 1, maxItems, items: item.schema },
    takes: `a list of 1 to ${maxItems}, each ${item.takes}`,
    parse(value) {
      if (!Array.isArray(value) || value.length === 0 || value.length > maxItems) return undefined;
      const items = value.map(item.parse).filter((each) => each !== undefined);
      return items.length === value.length ? items : undefined;
    },
  });

/** A whole number in JSON. */
export const wholeNumber = (minimum: number, maximum: number): Field<number> =>
  field({
    schema: { type: 'integer', minimum, maximum },
    takes: `a whole number from ${minimum} to ${maximum}`,
    parse: (value) =>
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? Number(value)
        : undefined,
  });

/** Either of two. */
export const either = <One, Other>(one: Field<One>, other: Field<Other>): Field<One | Other> =>
  field({
    schema: { anyOf: [one.schema, other.schema] },
    takes: `${one.takes}, or ${other.takes}`,
    parse: (value) => one.parse(value) ?? other.parse(value),
  });

/** Epoch milliseconds of a time in ISO 8601, or of a duration. */
export const time = (direction: Direction): Field<number> =>
  field({
    schema: { type: 'string', examples: ['2026-11-22T09:30Z', '24h'] },
    takes: 'a time such as 2026-11-22T09:30Z, or a duration such as 90m, 24h or 7d',
    parse: (value) =>
      typeof value === 'string' ? parseTime(value, direction, Date.now()) : undefined,
  });

export const origin: Field<string> = field({
  schema: { type: 'string', examples: ['https://gate.example'] },
  takes: 'an origin such as https://gate.example',
  parse: (value) => (typeof value === 'string' && isPublicOrigin(value) ? value : undefined),
});

const rows = wholeNumber(1, ROWS.most);

const rowsInText = field({
  ...rows,
  schema: { ...rows.schema, default: ROWS.default },
  parse: (value) => (/^\d{1,4}$/.test(String(value)) ? rows.parse(Number(value)) : undefined),
});

/** Of every list. */
export const page = {
  limit: withDefault(rowsInText, () => ROWS.default),
  after: optional(text(2048)),
};
