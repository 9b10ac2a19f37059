import { RefusalError } from '../http/refusal.error.js';
import type { ExternalIdentity } from '../sign-up/account-policy.js';
import { parseDisplayName } from '../user/display-name.js';

export const MAX_IDENTITY_LENGTH = 255;

/** Whether a value can be an issuer or a subject: a text that either database stores exactly, without controls. */
export const isIdentityText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_IDENTITY_LENGTH &&
  value.isWellFormed() &&
  !/\p{Cc}/u.test(value);

/** Throws RefusalError 400 unless issuer and subject are texts of 1 to 255 characters without control characters. */
export function expectIdentity({ issuer, subject }: ExternalIdentity): ExternalIdentity {
  if (isIdentityText(issuer) && isIdentityText(subject)) return { issuer, subject };
  throw new RefusalError(
    400,
    'who you are at your sign-in provider cannot be stored here; contact an administrator of this service',
  );
}

const MAX_NAME_LENGTH = 40;
const MAX_ISSUER_LENGTH = 30;
const MAX_SUBJECT_LENGTH = 8;

/** Characters that a display name may not have, except white space. */
const UNFIT = /(?!\s)[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** A display name of what is left of the text without unfit characters, cut to 40. */
function fit(text: string): string | undefined {
  const start = text.slice(0, 10 * MAX_NAME_LENGTH).replace(UNFIT, '');
  const words = start.trim().replace(/\s+/gu, ' ');
  return parseDisplayName([...words].slice(0, MAX_NAME_LENGTH).join(''));
}

const startOf = (text: string, length: number) =>
  Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join('');

/** The display name of a new account: the given one made to fit, else of the issuer's name and the subject. */
export function nameOf(
  { issuer, subject }: ExternalIdentity,
  displayName: unknown,
  issuerName = URL.parse(issuer)?.hostname || issuer,
): string {
  const chosen =
    typeof displayName === 'string'
      ? (parseDisplayName(displayName) ?? fit(displayName))
      : undefined;
  const made = `${startOf(issuerName, MAX_ISSUER_LENGTH)} ${startOf(subject, MAX_SUBJECT_LENGTH)}`;
  return chosen ?? fit(made) ?? 'Account';
}
