/** A row of a statement. A column that was not selected counts as null. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads a column of a row. Without `OrNull` it throws when the column is null. */
export const column = {
  text: (row: Row, name: string): string => String(present(row, name)),

  /** For integers, which Postgres returns as text. */
  number: (row: Row, name: string): number => Number(present(row, name)),

  /** For conditions, which are 0 and 1 on SQLite. */
  flag: (row: Row, name: string): boolean => Boolean(present(row, name)),

  textOrNull: (row: Row, name: string): string | null =>
    row[name] == null ? null : String(row[name]),

  numberOrNull: (row: Row, name: string): number | null =>
    row[name] == null ? null : Number(row[name]),
};

function present(row: Row, name: string): unknown {
  const value = row[name];
  if (value == null) throw new Error(`the column ${name} has no value`);
  return value;
}
