/** An escape is taken as a whole, so that none begins within another. */
const ESCAPES = /\\(?:[pP]\{[^{}]*\}|[^])/gu;
const SHORT_CLASS = /^\\[wWsSdD]$/;
const PROPERTY = /^\\[pP]\{/;

/** Those that exist, of which there are a few thousand. */
const properties = new Set<string>();

/**
 * Whether a text is a regular expression with flag `u` (ECMA-262, 22.2.1); it is never run. Reading `\p{L}` takes the
 * language long, so that each such class is read once, and stands for a short one.
 */
export function isExpression(pattern: string): boolean {
  const isClass = (escape: string) => SHORT_CLASS.test(escape) || isProperty(escape);
  return isReadable(pattern.replaceAll(ESCAPES, (all) => (isClass(all) ? String.raw`\d` : all)));
}

const CLASSES = /\[[^\]]*\]/g;

/**
 * Whether a group switches flags, as in `(?i:a)`. The engine folds the case of every character of a class
 * while it compiles, which takes seconds for a class of all characters.
 */
export const hasModifiers = (pattern: string): boolean =>
  /\(\?[a-z-]/i.test(pattern.replaceAll(ESCAPES, '').replaceAll(CLASSES, ''));

function isProperty(escape: string) {
  if (properties.has(escape)) return true;
  if (!PROPERTY.test(escape) || !isReadable(escape)) return false;
  properties.add(escape);
  return true;
}

function isReadable(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}
