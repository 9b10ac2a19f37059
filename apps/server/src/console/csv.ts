interface Rows {
  readonly items: readonly object[];
  readonly next: string | null;
}

const MOST_ROWS = 10_000;
const BATCH = 1_000;

/** Spreadsheets take these for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A record of RFC 4180. */
const recordOf = (values: readonly unknown[]) => `${values.map(cell).join(',')}\r\n`;

function cell(given: unknown): string {
  const text = given === null || given === undefined ? '' : String(given);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The heading and up to 10,000 records, read from `after` on as the reader takes them; `first` tells the columns. */
export async function* csvLines(
  first: Rows,
  read: (after: string | null, limit: number) => Promise<Rows>,
  after: string | null,
): AsyncGenerator<string> {
  const columns = Object.keys(first.items[0] ?? { id: '' });
  yield recordOf(columns);
  let from = after;
  for (let left = MOST_ROWS; left > 0; left -= BATCH) {
    const { items, next } = await read(from, BATCH);
    for (const item of items) {
      const values = new Map<string, unknown>(Object.entries(item));
      yield recordOf(columns.map((name) => values.get(name)));
    }
    if (next === null) return;
    from = next;
  }
}
