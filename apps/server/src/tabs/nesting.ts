/** Deeper values could not be written as JSON again without overrunning the stack. */
export const MAX_NESTING = 100;

/** Whether a JSON value holds values of values, and so on, more than `levels` deep. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isNestedDeeper(inner, levels - 1));
}
