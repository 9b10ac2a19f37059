import { SECURITY_EVENT_TYPES, type SecurityEventType } from '#libs/accounts';
import {
  CREDITS,
  type Credits,
  isCredits,
  parseRows,
  parseTime,
  ROW_COUNTS,
  TIMES,
} from '../values.js';
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

/** @throws ArgumentError where the text was not taken, which is undefined here */
function expectTaken<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new ArgumentError(message);
  return value;
}

/** Parses a whole number of rows. @throws ArgumentError */
export const parseLimit = (text: string): number =>
  expectTaken(parseRows(text), `--limit takes ${ROW_COUNTS}`);

/** Parses the actor's name for the audit trail. @throws ArgumentError */
export const parseActor = (text: string): string =>
  expectTaken(isVisibleName(text) ? text : undefined, '--actor takes 1 to 64 visible characters');

/** Parses a whole number of credits, or `default`. @throws ArgumentError */
export function parseCredits(text: string): Credits {
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : text;
  return expectTaken(isCredits(credits) ? credits : undefined, `a daily limit is ${CREDITS}`);
}

/** Reads a JSON file with public keys. @throws ArgumentError that contains neither its path nor its content */
export function parseKeySet(path: string): JsonObject {
  const found = readShortFile(path);
  if (found.fault !== undefined) throw new ArgumentError(`--jwks ${found.fault}`);
  const keys = parseJson(found.content);
  return expectTaken(
    isJsonObject(keys) ? keys : undefined,
    '--jwks names a file without a JSON object',
  );
}

/** Parses a whole number of accounts. @throws ArgumentError */
export const parseUses = (text: string): number =>
  expectTaken(
    /^\d{1,9}$/.test(text) ? Number(text) : undefined,
    '--uses takes a whole number of accounts',
  );

/** Epoch milliseconds of a time, or of a duration before now; see `parseTime`. @throws ArgumentError */
export const parsePastTime = (option: string, text: string, now = Date.now()): number =>
  expectTaken(parseTime(text, 'ago', now), `${option} takes ${TIMES}`);

/** Like `parsePastTime`, with durations counted from now on. @throws ArgumentError */
export const parseFutureTime = (option: string, text: string, now = Date.now()): number =>
  expectTaken(parseTime(text, 'from-now', now), `${option} takes ${TIMES}`);

/** An origin at which people may reach the service, as in PUBLIC_ORIGINS. @throws ArgumentError */
export const parseOrigin = (text: string): string =>
  expectTaken(
    isPublicOrigin(text) ? text : undefined,
    '--origin takes an origin such as https://gate.example',
  );

/** The name of an event type. @throws ArgumentError */
export const parseEventType = (text: string): SecurityEventType =>
  expectTaken(
    SECURITY_EVENT_TYPES.find((each) => each === text),
    '--type takes a type of events, such as sign-in',
  );
