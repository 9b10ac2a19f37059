import { SECURITY_EVENT_TYPES, type SecurityEventType } from '#libs/accounts';
import {
  CREDITS,
  isCredits,
  parseRows,
  parseTime,
  ROW_COUNTS,
  TIMES,
} from '../administration/values.js';
import { isPublicOrigin, isVisibleName } from '../config/variable-rules.js';

/** Ids are 21 to 43 random characters, and one in 64 begins with a dash. No option name is that long. */
const LIKE_AN_OPTION = /^-[\w-]{20,42}$/;
const SHIELD = ':';

/** Marks the ids that a parser would take for options, so that it does not. */
export const shieldIds = (args: readonly string[]): string[] =>
  args.map((arg) => (LIKE_AN_OPTION.test(arg) ? SHIELD + arg : arg));

/** The original text of an argument that `shieldIds` may have marked. */
export const unshielded = (text: string): string =>
  text.startsWith(`${SHIELD}-`) ? text.slice(SHIELD.length) : text;

/** Describes an invalid argument to the operator who typed it. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}

/** Parses a whole number of rows. @throws ArgumentError */
export function parseLimit(text: string): number {
  const limit = parseRows(text);
  if (limit !== undefined) return limit;
  throw new ArgumentError(`--limit takes ${ROW_COUNTS}`);
}

/** Parses the actor's name for the audit trail. @throws ArgumentError */
export function parseActor(text: string): string {
  if (isVisibleName(text)) return text;
  throw new ArgumentError('--actor takes 1 to 64 visible characters');
}

/** Parses a whole number of credits, or `default`. @throws ArgumentError */
export function parseCredits(text: string): number | 'default' {
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : text;
  if (isCredits(credits)) return credits;
  throw new ArgumentError(`a daily limit is ${CREDITS}`);
}

/** Parses a whole number of accounts. @throws ArgumentError */
export function parseUses(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ArgumentError('--uses takes a whole number of accounts');
}

/** Epoch milliseconds of a time, or of a duration before now; see `parseTime`. @throws ArgumentError */
export const parsePastTime = (option: string, text: string, now = Date.now()): number =>
  expectTime(option, parseTime(text, 'ago', now));

/** Like `parsePastTime`, with durations counted from now on. @throws ArgumentError */
export const parseFutureTime = (option: string, text: string, now = Date.now()): number =>
  expectTime(option, parseTime(text, 'from-now', now));

function expectTime(option: string, at: number | undefined): number {
  if (at !== undefined) return at;
  throw new ArgumentError(`${option} takes ${TIMES}`);
}

/** An origin at which people may reach the service, as in PUBLIC_ORIGINS. @throws ArgumentError */
export function parseOrigin(text: string): string {
  if (isPublicOrigin(text)) return text;
  throw new ArgumentError('--origin takes an origin such as https://gate.example');
}

/** The name of an event type. @throws ArgumentError */
export function parseEventType(text: string): SecurityEventType {
  const type = SECURITY_EVENT_TYPES.find((each) => each === text);
  if (type !== undefined) return type;
  throw new ArgumentError('--type takes a type of events, such as sign-in');
}
