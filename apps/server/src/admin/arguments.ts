import type { SecurityEventType } from '#libs/accounts';
import { parseTime } from '../administration/asked-time.js';
import { MOST_CREDITS, ROWS } from '../administration/bounds.js';
import { isPublicOrigin } from '../config/variable-rules.js';

/** What is wrong with an argument, for whoever typed it. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

/** A whole number of rows. @throws ArgumentError */
export function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= ROWS.most) return limit;
  throw new ArgumentError(`--limit takes a whole number from 1 to ${ROWS.most}`);
}

/** A whole number of credits, or `default`. @throws ArgumentError */
export function parseCredits(text: string): number | 'default' {
  if (text === 'default') return text;
  if (/^\d{1,10}$/.test(text) && Number(text) <= MOST_CREDITS) return Number(text);
  throw new ArgumentError(`a daily limit is a whole number from 0 to ${MOST_CREDITS}, or default`);
}

/** A whole number of accounts. @throws ArgumentError */
export function parseUses(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ArgumentError('--uses takes a whole number of accounts');
}

/** Epoch milliseconds of a time, or of a duration before now, as `parseTime` has them. @throws ArgumentError */
export const parsePastTime = (option: string, text: string, now = Date.now()): number =>
  expectTime(option, parseTime(text, 'ago', now));

/** As `parsePastTime`, with durations from now on. @throws ArgumentError */
export const parseFutureTime = (option: string, text: string, now = Date.now()): number =>
  expectTime(option, parseTime(text, 'from-now', now));

function expectTime(option: string, at: number | undefined): number {
  if (at !== undefined) return at;
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
