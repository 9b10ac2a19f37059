/** Whole seconds since 1970, as answers have them, from epoch milliseconds. */
export const epochSeconds = (ms: number) => Math.floor(ms / 1000);
