const MAX_DISPLAY_NAME_LENGTH = 40;

/** In UTF-8, before normalising: 40 code points take at most 360, however they are composed. */
const MAX_TYPED_BYTES = 400;

/** A display name as stored: NFC, trimmed, spaces collapsed, 1 to 40 code points, no Cc or Cf; else undefined. */
export function parseDisplayName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const collapsed = value.trim().replace(/\s+/gu, ' ');
  if (Buffer.byteLength(collapsed) > MAX_TYPED_BYTES) return undefined;
  const name = collapsed.normalize('NFC');
  const length = [...name].length;
  if (length < 1 || length > MAX_DISPLAY_NAME_LENGTH) return undefined;
  return /[\p{Cc}\p{Cf}]/u.test(name) ? undefined : name;
}

/** Invisible characters that come with pasted text and with emoji, by their Unicode names. */
const NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'soft hyphen',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner, as in combined emoji',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u2060': 'word joiner',
};

const REMEDY = 'delete it, or type the name again';

/** Why `parseDisplayName` refuses a value, after the field's name. Repeats no character; positions begin at 1. */
export function displayNameFault(value: unknown): string {
  if (typeof value !== 'string') return 'has to be a text of 1 to 40 characters';
  if (value.trim() === '') return 'is empty; enter 1 to 40 characters';
  const typed = [...value];
  const character = typed.find(isUnfit);
  if (character === undefined) return 'is too long; enter 1 to 40 characters';
  const index = typed.indexOf(character);
  return `has ${kindOf(character)}, ${numberOf(character)}, at position ${index + 1}; ${REMEDY}`;
}

/** Control, format and incomplete characters; not white space, which becomes a space in a name. */
const isUnfit = (character: string) =>
  /[\p{Cc}\p{Cf}\p{Cs}]/u.test(character) && !/\s/.test(character);

function kindOf(character: string) {
  if (/\p{Cs}/u.test(character)) return 'an incomplete character';
  return /\p{Cc}/u.test(character) ? 'a control character' : 'an invisible character';
}

function numberOf(character: string) {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const name = NAMES[character];
  return `U+${number}${name === undefined ? '' : ` (${name})`}`;
}
