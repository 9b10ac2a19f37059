/** Part of a list: at most `limit` rows after the one with the id `after`, or from the beginning. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** `next` is the id to continue after; null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** A page from rows that were read with one beyond the limit, which shows whether more follow. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** The row to continue a list after does not exist. */
export class UnknownPageError extends Error {
  override name = 'UnknownPageError';
  readonly status = 404;

  constructor() {
    super('there is no row of that id to go on after');
  }
}
