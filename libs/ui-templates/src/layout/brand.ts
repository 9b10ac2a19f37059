import { type Fragment, Html, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { expectTexts, type TextByTag, textFor } from '../locale/look-up.js';
import { accentStyle } from './accent.js';
import { BrandError } from './brand.error.js';
import { inlineSvg } from './inline-svg.js';

/** How a team's pages look. */
export interface Brand {
  /** CSS that follows the built-in style. It is meant to override variables such as `--accent`. */
  readonly style?: string;
  /**
   * The colour of buttons and links, `#rrggbb`, in both colour schemes; overrides the accent of `style`. Its contrast
   * against white has to be at least 4.5 to 1.
   */
  readonly accent?: string;
  /** An `svg` element beside the service's name; replaces the gate. */
  readonly emblem?: string;
  /** An `svg` element that replaces emblem and name; the name becomes its accessible label. */
  readonly logo?: string;
  /** Links at the foot of every page. */
  readonly links?: readonly BrandLink[];
  /** The target of emblem, name and logo: an https address, or a path of this origin; `/` by default. */
  readonly website?: string;
}

export interface BrandLink {
  readonly label: string;
  /** The label in other languages, by BCP 47 tag. */
  readonly texts?: TextByTag;
  /** An https address, or a path of this origin. */
  readonly href: string;
}

interface PreparedBrand {
  readonly style: string;
  readonly header: (serviceName: string) => Fragment;
  readonly footer: (tag: string) => Fragment;
}

/** Throws BrandError or TextsError, with a line that names the invalid part. */
export function checkedBrand(brand: Brand): Brand {
  preparedBrand(brand);
  return brand;
}

/** `checkedBrand`, cached per brand object. Throws the same errors. */
export const preparedBrand = oncePer(
  ({ style = '', accent, emblem, logo, links = [], website = '/' }: Brand): PreparedBrand => {
    if (/<\/|<!--/.test(style)) throw new BrandError('brand.style is not fit for a style element');
    const mark = drawing('emblem', emblem) ?? GATE;
    const drawn = drawing('logo', logo);
    links.forEach(expectLink);
    if (!leadsSomewhere(website))
      throw new BrandError('brand.website takes an https address or a path');
    const shown = (serviceName: string) =>
      drawn === undefined
        ? html`${mark}<span dir="auto">${serviceName}</span>`
        : html`<span class="logo" role="img" aria-label="${serviceName}">${drawn}</span>`;
    return {
      style: accent === undefined ? style : style + accentStyle(accent),
      header: (serviceName) => html`<a href="${website}">${shown(serviceName)}</a>`,
      footer: (tag) => (links.length === 0 ? '' : footer(links, tag)),
    };
  },
);

function drawing(part: string, svg: string | undefined): Html | undefined {
  if (svg === undefined) return undefined;
  try {
    return inlineSvg(svg);
  } catch (error) {
    throw new BrandError(`brand.${part} ${(error as BrandError).message}`);
  }
}

/** A path of this origin. One that begins with two slashes or backslashes would name another host. */
const OWN_PATH = /^\/(?![/\\])[^\s\\]*$/;

function expectLink({ label, href, texts }: BrandLink) {
  expectTexts(`texts of link ${JSON.stringify(label)}`, texts);
  if (!leadsSomewhere(href)) {
    throw new BrandError(`brand.links: ${JSON.stringify(label)} takes an https address or a path`);
  }
  if (label.trim() === '') throw new BrandError('brand.links: a label is empty');
}

function leadsSomewhere(href: string): boolean {
  const url = URL.parse(href);
  const isPublic = url?.protocol === 'https:' && `${url.username}${url.password}` === '';
  return isPublic || OWN_PATH.test(href);
}

const footer = (links: readonly BrandLink[], tag: string) =>
  html`<footer>
    <ul>
      ${links.map(
        ({ label, texts, href }) =>
          html`<li><a href="${href}">${textFor(tag, texts) ?? label}</a></li>`,
      )}
    </ul>
  </footer>`;

const GATE = html`<svg
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
  aria-hidden="true"
>
  <path d="M3 21V9l9-6 9 6v12M3 21h18M8 21v-6a4 4 0 0 1 8 0v6M12 11v10" />
</svg>`;
