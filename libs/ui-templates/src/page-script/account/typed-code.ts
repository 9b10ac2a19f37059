/** The lengths of a saved recovery code and of a code from a link. */
const CODE_LENGTHS = new Set([24, 32]);

/** The recovery code in typed or pasted text: the code alone, or the whole link that contains it. */
export const codeIn = (text: string) => text.slice(text.lastIndexOf('#') + 1).trim();

/** The number of letters and digits in a code of the wrong length; undefined when the length is right. */
export function wrongLength(code: string): number | undefined {
  const { length } = code.replaceAll(/[\s\p{Dash}]/gu, '');
  return CODE_LENGTHS.has(length) ? undefined : length;
}
