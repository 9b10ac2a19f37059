/** A row of the audit trail as far as it can be written more than once: its count may grow. */
export interface CountedRow {
  count: number;
  lastAt: number | null;
  /** Of the last event. */
  browser: string | null;
  credits: number | null;
  durationMs: number | null;
}

/** A row on its way into the database. */
export interface PendingRow<Row extends CountedRow = CountedRow> {
  readonly row: Row;
  /** The count that the database has by now; 0 before the row is there. */
  writtenCount: number;
}

/** A row that counts what is like its first event until `endsAt`, in epoch milliseconds. */
export interface Tally<Row extends CountedRow = CountedRow> extends PendingRow<Row> {
  readonly key: string;
  readonly endsAt: number;
}
