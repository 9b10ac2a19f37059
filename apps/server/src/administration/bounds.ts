/** Rows of a list at a time. */
export const ROWS = { most: 1000, default: 50 } as const;

/** A daily limit. */
export const MOST_CREDITS = 1_000_000_000;
