import type { SecurityEventType } from '#libs/accounts';
import { isPublicOrigin } from '../config/variable-rules.js';

const MAX_LIMIT = 1000;
const MAX_CREDITS = 1_000_000_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,6})([mhd])$/;
const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** What is wrong with an argument, for whoever typed it. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

/** A whole number of rows. @throws ArgumentError */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new ArgumentError(`--limit takes a whole number from 1 to ${MAX_LIMIT}`);
}

/** A whole number of credits, or `default`. @throws ArgumentError */
export function parseCredits(text: string): number | 'default' {
  if (text === 'default') return text;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_CREDITS) return Number(text);
  throw new ArgumentError(`a daily limit is a whole number from 0 to ${MAX_CREDITS}, or default`);
}

/** A whole number of accounts. @throws ArgumentError */
export function parseUses(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ArgumentError('--uses takes a whole number of accounts');
}

/**
 * Epoch milliseconds of a time in ISO 8601, or of a duration such as `90m`, `24h` or `7d` before now; the
 * time of a day without one is its 00:00 in UTC. @throws ArgumentError
 */
export const parsePastTime = (option: string, text: string, now = Date.now()): number =>
  parseTime(option, text, (durationMs) => now - durationMs);

/** As `parsePastTime`, with durations from now on. @throws ArgumentError */
export const parseFutureTime = (option: string, text: string, now = Date.now()): number =>
  parseTime(option, text, (durationMs) => now + durationMs);

function parseTime(option: string, text: string, after: (durationMs: number) => number): number {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  if (count !== undefined) return after(Number(count) * (UNIT_MS[unit] ?? 0));
  const at = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new ArgumentError(
    `${option} takes a time such as 2026-11-22T09:30Z, or a duration such as 90m, 24h or 7d`,
  );
}

/** An origin that people may reach the service at, as PUBLIC_ORIGINS has them. @throws ArgumentError */
export function parseOrigin(text: string): string {
  if (isPublicOrigin(text)) return text;
  throw new ArgumentError('--origin takes an origin such as https://gate.example');
}

/** The name of a type of events. @throws ArgumentError */
export function parseEventType(text: string): SecurityEventType {
  if (/^[a-z]+(?:-[a-z]+)*$/.test(text)) return text as SecurityEventType;
  throw new ArgumentError('--type takes a type of events, such as sign-in');
}
