import { applyDecorators } from '@nestjs/common';
import { isBoolean, ValidateBy, ValidateIf } from 'class-validator';
import { epochSeconds, isJsonObject } from '#libs/platform';
import type { Permission } from '../grant/permission.js';

export const MAX_CREDITS = 1_000_000;
const TEN_YEARS_SECONDS = 10 * 365.25 * 24 * 60 * 60;

const WORDS: readonly unknown[] = ['allow', 'ask', 'off'] satisfies Permission[];

export const isPermissions = (value: unknown): value is Record<string, Permission> =>
  isJsonObject(value) && Object.values(value).every((word) => WORDS.includes(word));

const isWithin = (value: unknown, least: number, most: number) =>
  value === null || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most);

export const isCredits = (value: unknown) => isWithin(value, 0, MAX_CREDITS);

/** In epoch seconds, or null. */
export function isEnd(value: unknown) {
  const now = epochSeconds(Date.now());
  return isWithin(value, now, now + TEN_YEARS_SECONDS);
}

/** A member that may be left out. */
const HeldTo = (sentence: string, validate: (value: unknown) => boolean) =>
  applyDecorators(
    ValidateIf((_body, value) => value !== undefined),
    ValidateBy({ name: 'rule', validator: { validate } }, { message: sentence }),
  );

/** What a person changes of a connection; which scopes there are depends on the connection. */
export class ConnectionChangeBody {
  @HeldTo('permissions has to be an object of scopes with allow, ask or off', isPermissions)
  permissions?: Record<string, Permission>;

  @HeldTo('mayAsk has to be true or false', isBoolean)
  mayAsk?: boolean;

  @HeldTo('paused has to be true or false', isBoolean)
  paused?: boolean;

  @HeldTo('dailyCredits has to be 0 to 1000000, or null', isCredits)
  dailyCredits?: number | null;

  /** In epoch seconds. */
  @HeldTo('endsAt has to be a time from now to ten years, in epoch seconds, or null', isEnd)
  endsAt?: number | null;
}
