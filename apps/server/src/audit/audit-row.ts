/** The members of an audit row that may change in later writes: its count may grow. */
export interface CountedRow {
  count: number;
  lastAt: number | null;
  /** The browser of the last event. */
  browser: string | null;
  credits: number | null;
  durationMs: number | null;
}

/** A row that waits to be written. */
export interface PendingRow<Row extends CountedRow = CountedRow> {
  readonly row: Row;
  /** The count last written to the database; 0 before the row is inserted. */
  writtenCount: number;
}

/** A row that counts events like its first one until `endsAt`, in epoch milliseconds. */
export interface Tally<Row extends CountedRow = CountedRow> extends PendingRow<Row> {
  readonly key: string;
  readonly endsAt: number;
}
