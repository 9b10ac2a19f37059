import { IsBoolean, IsInt, Max, Min, ValidateBy, ValidateIf } from 'class-validator';
import { epochSeconds, isJsonObject } from '#libs/platform';
import type { Permission } from '../grant/permission.js';

export const MAX_CREDITS = 1_000_000;
const TEN_YEARS_SECONDS = 10 * 365.25 * 24 * 60 * 60;

const WORDS: readonly unknown[] = ['allow', 'ask', 'off'] satisfies Permission[];

export const isPermissions = (value: unknown) =>
  isJsonObject(value) && Object.values(value).every((word) => WORDS.includes(word));

/** In epoch seconds. */
export function isEnd(value: unknown) {
  const now = epochSeconds(Date.now());
  return (
    Number.isInteger(value) && Number(value) >= now && Number(value) <= now + TEN_YEARS_SECONDS
  );
}

/** A member that may be left out, but not null. */
const WhenGiven = () => ValidateIf((_body, value) => value !== undefined);

/** A member that may also be null. */
const UnlessNull = () => ValidateIf((_body, value) => value !== undefined && value !== null);

const heldTo = (takes: string, validate: (value: unknown) => boolean) =>
  ValidateBy({ name: 'rule', validator: { validate } }, { message: takes });

const CREDITS = { message: `dailyCredits has to be 0 to ${MAX_CREDITS}, or null` };
const trueOrFalse = (name: string) => ({ message: `${name} has to be true or false` });

/** What a person changes of a connection; which scopes there are depends on the connection. */
export class ConnectionChangeBody {
  @WhenGiven()
  @heldTo('permissions has to be an object of scopes with allow, ask or off', isPermissions)
  permissions?: Record<string, Permission>;

  @WhenGiven()
  @IsBoolean(trueOrFalse('mayAsk'))
  mayAsk?: boolean;

  @WhenGiven()
  @IsBoolean(trueOrFalse('paused'))
  paused?: boolean;

  @UnlessNull()
  @IsInt(CREDITS)
  @Min(0, CREDITS)
  @Max(MAX_CREDITS, CREDITS)
  dailyCredits?: number | null;

  /** In epoch seconds. */
  @UnlessNull()
  @heldTo('endsAt has to be a time from now to ten years, in epoch seconds, or null', isEnd)
  endsAt?: number | null;
}
