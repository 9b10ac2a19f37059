/**
 * Control, format, separator, surrogate and private-use characters: names that people and pages choose may hold some
 * that control a terminal or reorder a line.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** The text in one line, with a question mark for each invisible character. */
export const printable = (text: string) => text.replaceAll(UNSEEN, '?');

/** One JSON document in one line; invisible characters are escaped, so the value stays the same. */
export const printableJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
