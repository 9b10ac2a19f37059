import { type Fragment, Html, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { expectTexts, type TextByTag, textFor } from '../locale/look-up.js';
import { accentStyle } from './accent.js';
import { BrandError } from './brand.error.js';
import { inlineSvg } from './inline-svg.js';

/** How a team's pages look. */
export interface Brand {
  /** CSS after the built-in one. Its variables, `--accent` and the like, are meant to be set anew. */
  readonly style?: string;
  /**
   * The colour of buttons and links, `#rrggbb`, in both colour schemes and over that of `style`; its contrast against
   * white is at least 4.5 to 1.
   */
  readonly accent?: string;
  /** An `svg` element beside the service's name, in place of the gate. */
  readonly emblem?: string;
  /** An `svg` element in place of emblem and name, which is what it is called for those who do not see it. */
  readonly logo?: string;
  /** At the foot of every page. */
  readonly links?: readonly BrandLink[];
  /** Where emblem, name and logo lead: an https address, or a path of this origin; `/` by default. */
  readonly website?: string;
}

export interface BrandLink {
  readonly label: string;
  /** The same in other languages, by BCP 47 tag. */
  readonly texts?: TextByTag;
  /** An https address, or a path of this origin. */
  readonly href: string;
}

interface PreparedBrand {
  readonly style: string;
  readonly header: (serviceName: string) => Fragment;
  readonly footer: (tag: string) => Fragment;
}

/** Throws BrandError or TextsError, with a line that names the part that cannot be used. */
export function checkedBrand(brand: Brand): Brand {
  preparedBrand(brand);
  return brand;
}

/** Once for each object. Throws as `checkedBrand` does. */
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

/** A path that browsers read as another host begins with two slashes, however they lean. */
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
