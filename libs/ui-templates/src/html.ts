/** Caches the result of `make` per key. For few, long-lived keys, such as the texts of a language. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Made;
  };
}

/** Markup that is safe to send. Only {@link html} and {@link trusted} make it, never plain text alone. */
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

/** Escapes characters that could end the markup, and typographic marks: see `scriptTexts`. */
const escape = (text: string) =>
  text.replaceAll(
    /[&<>"'\u2010-\u2027]/g,
    (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`,
  );

function render(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.toString();
  if (typeof fragment === 'object') return fragment.map(render).join('');
  return escape(String(fragment));
}

/**
 * Escapes every interpolated value, for element content and for quoted attribute values alike. It concatenates with
 * `+`, which V8 joins once when the page is sent; `String.raw` would join the text at every element.
 */
export const html = ({ raw }: TemplateStringsArray, ...fragments: readonly Fragment[]) =>
  Html.trusted(raw.reduce((markup, part, n) => markup + render(fragments[n - 1] ?? '') + part));

/** Isolates words that other people chose, so that right-to-left text in them cannot reorder the sentence. */
export const bdi = (text: Fragment) => html`<bdi>${text}</bdi>`;

/** A host or an origin that may be broken after each dot. */
export const breakable = (host: string): Fragment =>
  host.split(/(?<=\.)/).map((label, n) => (n === 0 ? label : html`<wbr />${label}`));

/** Fills in the `{placeholders}` of a text. Throws when one has no value. */
export function fill(text: string, values: Readonly<Record<string, Fragment>>): Html {
  const parts = text.split(/\{(\w+)\}/).map((part, index) => {
    const value = index % 2 === 0 ? part : values[part];
    if (value === undefined) throw new TypeError(`no value for {${part}} in "${text}"`);
    return value;
  });
  return html`${parts}`;
}
