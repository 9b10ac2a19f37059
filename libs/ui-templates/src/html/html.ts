/** Markup that is safe to send. Only {@link html} and {@link trusted} make it, so text never becomes it by accident. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  /** For constants only: the style sheet, the page script and a team's brand. */
  static trusted(markup: string) {
    return new Html(markup);
  }

  toString() {
    return this.#markup;
  }
}

export type Fragment = string | number | Html | readonly Fragment[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** What markup would be ended by, and typographic marks: see `inlineJson`. */
const escape = (text: string) =>
  text.replaceAll(
    /[&<>"'\u2010-\u2027]/g,
    (character) => ENTITIES[character] ?? reference(character),
  );

const reference = (character: string) => `&#${character.charCodeAt(0)};`;

function render(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.toString();
  if (typeof fragment === 'object') return fragment.map(render).join('');
  return escape(String(fragment));
}

/**
 * Escapes whatever is interpolated, for element content and quoted attribute values alike. By sums, which are put
 * together once, when a page is sent: `String.raw` does that for every element of it.
 */
export const html = ({ raw }: TemplateStringsArray, ...fragments: readonly Fragment[]) =>
  Html.trusted(raw.reduce((markup, part, n) => markup + render(fragments[n - 1] ?? '') + part));

/** For words that others chose: writing from right to left in them cannot reorder the sentence. */
export const bdi = (text: string) => html`<bdi>${text}</bdi>`;

/** A text with its `{placeholders}` filled in. Throws when one has no value. */
export function fill(text: string, values: Readonly<Record<string, Fragment>>): Html {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    const value = index % 2 === 0 ? part : values[part];
    if (value === undefined) throw new TypeError(`no value for {${part}} in "${text}"`);
    return value;
  });
  return html`${parts}`;
}
