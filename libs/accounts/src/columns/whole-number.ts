/** A whole number (a counter, milliseconds) in a `bigint` column, which Postgres hands out as text. */
export const wholeNumber = {
  to: (value: number) => value,
  from: (value: number | string) => Number(value),
};
