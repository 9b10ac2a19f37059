const SHIFT = new URL('shift-clock.mjs', import.meta.url).href;

/** Variables for a server process whose clock differs by `shiftMs`. */
export const withClockOff = (shiftMs: number) => ({
  NODE_OPTIONS: `--import=${SHIFT}`,
  CLOCK_SHIFT_MS: String(shiftMs),
});
