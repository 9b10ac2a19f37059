import { SECURITY_EVENT_TYPES, type SecurityEventType } from '#libs/accounts';
import { parseTime, TIMES } from '../administration/asked-time.js';
import { CREDITS, isCredits, parseRows, ROW_COUNTS } from '../administration/bounds.js';
import { isPublicOrigin, isVisibleName } from '../config/variable-rules.js';

/** What is wrong with an argument, for whoever typed it. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

/** A whole number of rows. @throws ArgumentError */
export function parseLimit(text: string): number {
  const limit = parseRows(text);
  if (limit !== undefined) return limit;
  throw new ArgumentError(`--limit takes ${ROW_COUNTS}`);
}

/** A name for the audit trail. @throws ArgumentError */
export function parseActor(text: string): string {
  if (isVisibleName(text)) return text;
  throw new ArgumentError('--actor takes 1 to 64 visible characters');
}

/** A whole number of credits, or `default`. @throws ArgumentError */
export function parseCredits(text: string): number | 'default' {
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : text;
  if (isCredits(credits)) return credits;
  throw new ArgumentError(`a daily limit is ${CREDITS}`);
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
  throw new ArgumentError(`${option} takes ${TIMES}`);
}

/** An origin that people may reach the service at, as PUBLIC_ORIGINS has them. @throws ArgumentError */
export function parseOrigin(text: string): string {
  if (isPublicOrigin(text)) return text;
  throw new ArgumentError('--origin takes an origin such as https://gate.example');
}

/** The name of a type of events. @throws ArgumentError */
export function parseEventType(text: string): SecurityEventType {
  const type = SECURITY_EVENT_TYPES.find((each) => each === text);
  if (type !== undefined) return type;
  throw new ArgumentError('--type takes a type of events, such as sign-in');
}
