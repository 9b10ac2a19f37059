/** Does the work and returns what came of it with how long it took. */
export async function timed<T>(work: () => Promise<T>) {
  const startedAt = performance.now();
  const result = await work();
  return { result, durationMs: performance.now() - startedAt };
}

/** The middle one; a machine that is busy for a moment does not move it. */
export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
