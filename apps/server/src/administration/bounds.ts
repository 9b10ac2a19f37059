/** Rows of a list at a time. */
export const ROWS = { most: 1000, default: 50 } as const;

/** What `parseRows` takes, in words. */
export const ROW_COUNTS = `a whole number from 1 to ${ROWS.most}`;

/** A number of rows as it is typed; undefined for anything else. */
export function parseRows(text: unknown): number | undefined {
  const rows = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return rows >= 1 && rows <= ROWS.most ? rows : undefined;
}

/** A daily limit. */
export const MOST_CREDITS = 1_000_000_000;

/** What `isCredits` takes, in words. */
export const CREDITS = `a whole number from 0 to ${MOST_CREDITS}, or default`;

/** A daily limit of an account's own, or everybody's. */
export const isCredits = (value: unknown): value is number | 'default' =>
  value === 'default' ||
  (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_CREDITS);
