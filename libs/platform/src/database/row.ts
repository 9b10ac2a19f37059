/** A row of a statement. A column that was not selected counts as null. */
export type Row = Readonly<Record<string, unknown>>;

/** Throws when the column is null. */
export const textOf = (row: Row, column: string): string => String(present(row, column));

/** For integers, which Postgres returns as text. Throws when the column is null. */
export const numberOf = (row: Row, column: string): number => Number(present(row, column));

/** For conditions, which are 0 and 1 on SQLite. Throws when the column is null. */
export const flagOf = (row: Row, column: string): boolean => Boolean(present(row, column));

export const textOrNull = (row: Row, column: string): string | null =>
  row[column] == null ? null : String(row[column]);

export const numberOrNull = (row: Row, column: string): number | null =>
  row[column] == null ? null : Number(row[column]);

function present(row: Row, column: string): unknown {
  const value = row[column];
  if (value == null) throw new Error(`the column ${column} has no value`);
  return value;
}
