import { isJsonObject } from '#libs/platform';
import { withoutHidden } from '#libs/tab-hub';

/** Text of a page as people see it. */
export const visible = (text: string): string => withoutHidden(text.toWellFormed());

/** The same on one line. */
export const visibleLine = (text: string): string =>
  visible(text).replaceAll(/[\n\r\t\u0085\u2028\u2029]+/g, ' ');

/** JSON of a page with every text in it as people see it. */
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map((each) => visibleIn(each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [visible(name), visibleIn(each)]),
  );
}
