/**
 * The delay that `Retry-After` asks for, in seconds or as a date (RFC 9110 §10.2.3); undefined for any other value.
 */
export function retryAfterMs(
  value: string | string[] | undefined,
  now: number,
): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
