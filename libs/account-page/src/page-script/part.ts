import type { Counted } from '#libs/ui-templates';
import { textForNumber } from '#libs/ui-templates/page-script';

/** The one element with this id. Throws when the page has none. */
export function part<Kind extends Element = HTMLElement>(id: string): Kind {
  const found = document.querySelector<Kind>(`#${id}`);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** Fills in the `{words}` of a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** A text for a number, with it filled in as `{n}`. */
export function fillNumber(
  text: Counted,
  n: number,
  values: Readonly<Record<string, string | number>> = {},
) {
  const { lang } = document.documentElement;
  return fill(textForNumber(text, n, lang), { ...values, n: n.toLocaleString(lang) });
}

/** For names that others chose: writing from right to left in them cannot reorder the sentence. */
export const isolate = (name: string) => `\u2068${name}\u2069`;

/** Shows a text with hosts in it, which break after their dots where the line is too short for them. */
export function showHosts(element: Element, text: string) {
  const labels = text.split(/(?<=\.)(?=\S)/);
  element.replaceChildren(
    ...labels.flatMap((label, n) => (n === 0 ? [label] : [document.createElement('wbr'), label])),
  );
}

/** Begins with a capital letter. */
export const capital = (text: string) =>
  text.replace(/^./u, (first) => first.toLocaleUpperCase(document.documentElement.lang));
