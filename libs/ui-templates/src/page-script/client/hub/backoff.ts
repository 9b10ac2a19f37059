const FIRST_BOUND_MS = 1000;
const LAST_BOUND_MS = 30_000;

/** The delay after this many failures in a row, randomised so that a thousand tabs do not reconnect at once. */
export const delayMs = (failures: number, chance = Math.random()) =>
  chance * Math.min(LAST_BOUND_MS, FIRST_BOUND_MS * 2 ** failures);
