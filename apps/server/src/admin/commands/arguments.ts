import { SECURITY_EVENT_TYPES, type SecurityEventType } from '#libs/accounts';
import {
  CREDITS,
  type Credits,
  isCredits,
  parseRows,
  parseTime,
  ROW_COUNTS,
  TIMES,
} from '../operation/values.js';
import { isJsonObject, type JsonObject, parseJson } from '#libs/platform';
import { isPublicOrigin, isVisibleName } from '../../config/variable-rules.js';
import { readShortFile } from '../../config/variables.js';

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

/** The parsers below throw ArgumentError, with what the argument takes, for a text that none of its values has. */
function expectTaken<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new ArgumentError(message);
  return value;
}

export const parseLimit = (text: string): number =>
  expectTaken(parseRows(text), `--limit takes ${ROW_COUNTS}`);

/** The actor's name for the audit trail. */
export const parseActor = (text: string): string =>
  expectTaken(isVisibleName(text) ? text : undefined, '--actor takes 1 to 64 visible characters');

export function parseCredits(text: string): Credits {
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : text;
  return expectTaken(isCredits(credits) ? credits : undefined, `a daily limit is ${CREDITS}`);
}

/** Reads a JSON file with public keys; the error contains neither its path nor its content. */
export function parseKeySet(path: string): JsonObject {
  const found = readShortFile(path);
  if (found.fault !== undefined) throw new ArgumentError(`--jwks ${found.fault}`);
  const keys = parseJson(found.content);
  const message = '--jwks names a file without a JSON object';
  return expectTaken(isJsonObject(keys) ? keys : undefined, message);
}

/** A whole number of accounts. */
export function parseUses(text: string): number {
  const uses = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return expectTaken(uses, '--uses takes a whole number of accounts');
}

/** Epoch milliseconds of a time, or of a duration before now; see `parseTime`. */
export const parsePastTime = (option: string, text: string, now = Date.now()): number =>
  expectTaken(parseTime(text, 'ago', now), `${option} takes ${TIMES}`);

/** Like `parsePastTime`, with durations counted from now on. */
export const parseFutureTime = (option: string, text: string, now = Date.now()): number =>
  expectTaken(parseTime(text, 'from-now', now), `${option} takes ${TIMES}`);

/** An origin at which people may reach the service, as in PUBLIC_ORIGINS. */
export function parseOrigin(text: string): string {
  const message = '--origin takes an origin such as https://gate.example';
  return expectTaken(isPublicOrigin(text) ? text : undefined, message);
}

export function parseEventType(text: string): SecurityEventType {
  const type = SECURITY_EVENT_TYPES.find((each) => each === text);
  return expectTaken(type, '--type takes a type of events, such as sign-in');
}
