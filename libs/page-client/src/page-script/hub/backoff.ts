const FIRST_BOUND_MS = 1000;
const LAST_BOUND_MS = 30_000;

/** How long to wait after so many failures in a row: by chance, so that a thousand tabs do not come back at once. */
export const delayMs = (failures: number, chance = Math.random()) =>
  chance * Math.min(LAST_BOUND_MS, FIRST_BOUND_MS * 2 ** failures);
