import { isJsonObject } from '#libs/platform';
import { withoutHidden } from '#libs/tab-hub';

/** The visible part of a page's text. */
export const visible = (text: string): string => withoutHidden(text.toWellFormed());

/** The visible part of a text, on one line. */
export const visibleLine = (text: string): string =>
  visible(text).replaceAll(/[\n\r\t\u0085\u2028\u2029]+/g, ' ');

/** JSON of a page, with only the visible part of every text in it. */
export function visibleIn(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map((each) => visibleIn(each));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [visible(name), visibleIn(each)]),
  );
}
