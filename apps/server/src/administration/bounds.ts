/** The number of rows that a list returns at a time. */
export const ROWS = { most: 1000, default: 50 } as const;

/** The input of `parseRows`, in words. */
export const ROW_COUNTS = `a whole number from 1 to ${ROWS.most}`;

/** Parses a number of rows as it was typed; undefined for any other text. */
export function parseRows(text: unknown): number | undefined {
  const rows = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return rows >= 1 && rows <= ROWS.most ? rows : undefined;
}

/** The highest daily limit, in credits. */
export const MOST_CREDITS = 1_000_000_000;

/** The input of `isCredits`, in words. */
export const CREDITS = `a whole number from 0 to ${MOST_CREDITS}, or default`;

/** Whether a value is an account's own daily limit, or `default` for the limit that all other accounts have. */
export const isCredits = (value: unknown): value is number | 'default' =>
  value === 'default' ||
  (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_CREDITS);
