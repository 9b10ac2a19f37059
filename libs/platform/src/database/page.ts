/** A part of a list: the rows after the one with the id `after`, or the first ones; at most `limit`. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** `next` is the id to go on after; null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** The page of rows that were read with one beyond the limit, which tells whether there are more. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** A list cannot go on after a row that is not there. */
export class UnknownPageError extends Error {
  override name = 'UnknownPageError';
  readonly status = 404;

  constructor() {
    super('there is no row of that id to go on after');
  }
}
