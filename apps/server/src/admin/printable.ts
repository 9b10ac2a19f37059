/** What people and pages chose may hold what steers a terminal or reorders a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** The text in one line, with a question mark for every character that cannot be seen. */
export const printable = (text: string) => text.replaceAll(UNSEEN, '?');

/** One JSON document in one line; what cannot be seen is escaped, so that it means the same. */
export const printableJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
