type Nullable<T> = T | null | undefined;

/** A whole number (a counter, milliseconds) in a `bigint` column, which Postgres returns as text. */
export const wholeNumber = {
  to: (value: Nullable<number>) => value,
  from: (value: Nullable<number | string>) => (value == null ? value : Number(value)),
};
