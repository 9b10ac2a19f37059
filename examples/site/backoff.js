const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * How long to wait before the next attempt: twice as long after every failure, and by chance between
 * half and all of that, so that a thousand tabs do not come back in the same instant.
 */
export function nextDelayMs(failures) {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
  return ceiling * (0.5 + Math.random() / 2);
}
