/** Epoch milliseconds as ISO 8601 in UTC; null stays null. */
export function toIsoTime(at: number): string;
export function toIsoTime(at: number | null): string | null;
export function toIsoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
