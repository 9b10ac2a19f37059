const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,6})([mhd])$/;
const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The input of `parseTime`, in words. */
export const TIMES = 'a time such as 2026-11-22T09:30Z, or a duration such as 90m, 24h or 7d';

/** Whether a duration counts back from now or forward. */
export type Direction = 'ago' | 'from-now';

/**
 * Epoch milliseconds of a time in ISO 8601, or of a duration such as `90m`, `24h` or `7d`; a date without a time
 * means 00:00 UTC. Undefined for any other text.
 */
export function parseTime(text: string, direction: Direction, now: number): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  if (count !== undefined) {
    const durationMs = Number(count) * (UNIT_MS[unit] ?? 0);
    return direction === 'ago' ? now - durationMs : now + durationMs;
  }
  const at = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
