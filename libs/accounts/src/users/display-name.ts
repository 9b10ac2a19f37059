const MAX_DISPLAY_NAME_LENGTH = 40;

/** In UTF-8, before normalising: 40 code points take at most 360, however they are composed. */
const MAX_GIVEN_BYTES = 400;

/**
 * A display name as it is stored: NFC, trimmed, white space collapsed, 1 to 40 code points, without control (Cc) or
 * format (Cf) characters. Returns undefined for anything else.
 *
 * Normalising sorts each run of combining marks, so only short texts are normalised.
 */
export function parseDisplayName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const given = value.trim().replace(/\s+/gu, ' ');
  if (Buffer.byteLength(given) > MAX_GIVEN_BYTES) return undefined;
  const name = given.normalize('NFC');
  const length = [...name].length;
  if (length < 1 || length > MAX_DISPLAY_NAME_LENGTH) return undefined;
  return /[\p{Cc}\p{Cf}]/u.test(name) ? undefined : name;
}
