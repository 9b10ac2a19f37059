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

/**
 * Why `parseDisplayName` refuses a value, as the rest of a sentence that begins with the name of its field.
 * Characters are named by number, never repeated; positions count code points as typed, from 1.
 */
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
