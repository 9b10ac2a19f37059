const MAX_DISPLAY_NAME_LENGTH = 40;

/**
 * A display name as it is stored: NFC, trimmed, white space collapsed, 1 to 40 code points,
 * without control (Cc) or format (Cf) characters. Returns undefined for anything else.
 */
export function parseDisplayName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const name = value.normalize('NFC').trim().replace(/\s+/gu, ' ');
  const length = [...name].length;
  if (length < 1 || length > MAX_DISPLAY_NAME_LENGTH) return undefined;
  return /[\p{Cc}\p{Cf}]/u.test(name) ? undefined : name;
}
