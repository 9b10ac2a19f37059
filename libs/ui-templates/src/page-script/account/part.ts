import type { Counted } from '../../locale/counted.js';
import { textForNumber } from '../../locale/counted.js';

/** The element with this id. Throws when the page has none. */
export function part<Kind extends Element = HTMLElement>(id: string): Kind {
  const found = document.querySelector<Kind>(`#${id}`);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Replaces the `{words}` of a text with the values. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** The plural form of a text for a number, which replaces `{n}`. */
export function fillNumber(
  text: Counted,
  n: number,
  values: Readonly<Record<string, string | number>> = {},
) {
  const { lang } = document.documentElement;
  return fill(textForNumber(text, n, lang), { ...values, n: n.toLocaleString(lang) });
}

/** Isolates a name that other people chose, so that right-to-left text in it cannot reorder the sentence. */
export const isolate = (name: string) => `\u2068${name}\u2069`;

/** Shows a text with host names, which may wrap after their dots. */
export function showHosts(element: Element, text: string) {
  const labels = text.split(/(?<=\.)(?=\S)/);
  element.replaceChildren(
    ...labels.flatMap((label, n) => (n === 0 ? [label] : [document.createElement('wbr'), label])),
  );
}

/** Capitalises the first letter. */
export const capital = (text: string) =>
  text.replace(/^./u, (first) => first.toLocaleUpperCase(document.documentElement.lang));
