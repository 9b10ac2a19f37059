import type { ListPage } from '#libs/platform';

export const ROWS = { most: 1000, default: 50 } as const;
export const ROW_COUNTS = `a whole number from 1 to ${ROWS.most}`;

export function parseRows(text: unknown): number | undefined {
  const rows = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return rows >= 1 && rows <= ROWS.most ? rows : undefined;
}

export const mapPage = <Row, Item>({ items, next }: ListPage<Row>, toItem: (row: Row) => Item) => ({
  items: items.map((row) => toItem(row)),
  next,
});

export type Credits = number | 'default';

export const MOST_CREDITS = 1_000_000_000;
export const CREDITS = `a whole number from 0 to ${MOST_CREDITS}, or default`;

export const isCredits = (value: unknown): value is Credits =>
  value === 'default' ||
  (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_CREDITS);

/** Epoch milliseconds as ISO 8601 in UTC; null stays null. */
export function toIsoTime(at: number): string;
export function toIsoTime(at: number | null): string | null;
export function toIsoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,6})([mhd])$/;
const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export const TIMES = 'a time such as 2026-11-22T09:30Z, or a duration such as 90m, 24h or 7d';

export type Direction = 'ago' | 'from-now';

/** Epoch milliseconds of an ISO 8601 time (a date means 00:00 UTC) or of a duration; undefined for any other text. */
export function parseTime(text: string, direction: Direction, now: number): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  if (count !== undefined) {
    const durationMs = Number(count) * (UNIT_MS[unit] ?? 0);
    return direction === 'ago' ? now - durationMs : now + durationMs;
  }
  const at = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
