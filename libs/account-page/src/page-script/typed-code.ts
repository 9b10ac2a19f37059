/** Of a code that a person keeps, and of one from a link. */
const CODE_LENGTHS = new Set([24, 32]);

/** A recovery code as it was typed or pasted: alone, or the whole link that it came in. */
export const codeIn = (text: string) => text.slice(text.lastIndexOf('#') + 1).trim();

/** Letters and digits of a code; undefined for as many as a code has. */
export function wrongLength(code: string): number | undefined {
  const { length } = code.replaceAll(/[\s\p{Dash}]/gu, '');
  return CODE_LENGTHS.has(length) ? undefined : length;
}
