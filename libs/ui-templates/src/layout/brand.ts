import { Html, html, oncePer } from '../html.js';
import { expectTexts, type TextByTag, textFor } from '../locale/locale.js';

/** A brand that cannot be shown; the message is one line for the operator who starts the service. */
export class BrandError extends TypeError {
  override readonly name = 'BrandError';
}

/** The minimum contrast of text against its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

const WHITE = '#ffffff';
const BLACK = '#000000';

/** By colour scheme: backgrounds of accents, as in style.ts, and the colour towards which they darken or lighten. */
const LIGHT = { under: [WHITE, '#f3f5f7', '#eaf2f7', '#fff6e0'], towards: BLACK, on: WHITE };
const DARK = { under: ['#1b2127', '#12161a', '#202c36', '#332910'], towards: WHITE, on: '#12161a' };

/** Whether a text is a colour `#rrggbb` on which white text is readable. */
export const isAccent = (color: string) =>
  /^#[\da-f]{6}$/i.test(color) && contrast(color, WHITE) >= LEAST_CONTRAST;

/**
 * CSS that sets the pages' accent in both colour schemes: this colour, or the nearest shade of it that is readable on
 * all of its backgrounds. Throws BrandError.
 */
export function accentStyle(accent: string): string {
  if (!isAccent(accent)) {
    throw new BrandError(
      `brand.accent takes #rrggbb with a contrast of ${LEAST_CONTRAST} to 1 against white`,
    );
  }
  return `
:root { ${variablesOf(accent, LIGHT)} }
@media (prefers-color-scheme: dark) { :root { ${variablesOf(accent, DARK)} } }
`;
}

function variablesOf(accent: string, { under, towards, on }: typeof LIGHT): string {
  const shade = legible(accent, towards, under);
  return `--accent: ${shade}; --on-accent: ${on}; --accent-hover: ${mixed(shade, towards, 0.2)};`;
}

/** The colour itself, or its nearest shade that is readable on all of these backgrounds. */
function legible(color: string, towards: string, backgrounds: readonly string[]): string {
  const shades = Array.from({ length: 51 }, (_, step) => mixed(color, towards, step / 50));
  const isLegible = (shade: string) =>
    backgrounds.every((background) => contrast(shade, background) >= LEAST_CONTRAST);
  return shades.find(isLegible) ?? towards;
}

/** Mixes two colours; `share`, 0 to 1, is that of the second. */
function mixed(first: string, second: string, share: number): string {
  const [one, other] = [channelsOf(first), channelsOf(second)];
  const channels = one.map((channel, n) => channel + ((other[n] ?? 0) - channel) * share);
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2.2, contrast ratio: 1 to 21. */
function contrast(first: string, second: string): number {
  const [one, other] = [luminance(first), luminance(second)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** WCAG 2.2, relative luminance: 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string) =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const MAX_LENGTH = 32_768;

/** Elements that only draw: none of them runs code, loads anything or is animated. */
const ELEMENTS = new Set(
  'svg g defs symbol use title desc text tspan path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath mask pattern'.split(
    ' ',
  ),
);
/** Elements that contain only text: a browser would parse tags inside the first two as HTML. */
const WORDS = new Set(['title', 'desc', 'text', 'tspan']);

const FUNCTIONS = new Set(
  'matrix translate scale rotate skewX skewY rgb rgba hsl hsla var url'.split(' '),
);
const NAMESPACES = new Set(['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink']);
const OWN = /^#[\w.-]+$/;

/** With HTML's white space: `\s` would match what browsers read as part of a word. */
const TAG =
  /<(\/?)([a-z][\w:.-]*)((?:[ \t\r\n]+[\w:.-]+[ \t\r\n]*=[ \t\r\n]*(?:"[^"<>]*"|'[^'<>]*'))*)[ \t\r\n]*(\/?)>/iy;
const ATTRIBUTE = /([\w:.-]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;
const TEXT = /[^<>]+/y;

/** An `svg` element that only draws and refers to nothing outside itself. Throws BrandError with the fault. */
export function inlineSvg(svg: string): Html {
  const open: string[] = [];
  const text = svg.trim();
  if (text.length > MAX_LENGTH) throw new BrandError(`has more than ${MAX_LENGTH} characters`);
  for (let at = 0; at < text.length;) {
    if (at > 0 && open.length === 0) throw new BrandError('has something after its svg element');
    at = readTag(text, at, open) ?? readText(text, at, open);
  }
  if (open.length > 0 || text === '') throw new BrandError('is no svg element that ends');
  return Html.trusted(text);
}

/** The position after the tag; undefined where there is no valid tag. */
function readTag(svg: string, at: number, open: string[]): number | undefined {
  TAG.lastIndex = at;
  const [tag, closes, name = '', attributes = '', isEmpty] = TAG.exec(svg) ?? [];
  if (tag === undefined) return undefined;
  if (closes) {
    if (open.pop() !== name) throw new BrandError(`ends <${name}> where another element is open`);
    return at + tag.length;
  }
  expectElement(name, open.at(-1));
  for (const [, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    expectAttribute(attribute, double ?? single ?? '');
  }
  if (!isEmpty) open.push(name);
  return at + tag.length;
}

function readText(svg: string, at: number, open: readonly string[]): number {
  TEXT.lastIndex = at;
  const [text] = TEXT.exec(svg) ?? [];
  if (text === undefined) {
    throw new BrandError(`has what is neither element nor text at character ${at + 1}`);
  }
  if (text.trim() !== '' && !WORDS.has(open.at(-1) ?? '')) {
    throw new BrandError(`has text outside of ${[...WORDS].join(', ')}`);
  }
  return at + text.length;
}

function expectElement(name: string, parent: string | undefined) {
  if (!ELEMENTS.has(name)) throw new BrandError(`has <${name}>, which a drawing does without`);
  if (parent === undefined && name !== 'svg') throw new BrandError('is no svg element');
  const isMisplaced = WORDS.has(parent ?? '') && name !== 'tspan';
  if (isMisplaced) throw new BrandError(`has <${name}> where only text may be`);
}

function expectAttribute(name: string, value: string) {
  if (/^on|^style$/i.test(name)) throw new BrandError(`has ${name}, which the policy stops`);
  if (/^xmlns/i.test(name) ? NAMESPACES.has(value) : isHarmless(name, value)) return;
  throw new BrandError(`has ${name} with a value that may refer to something else`);
}

function isHarmless(name: string, value: string): boolean {
  if (/href$/i.test(name)) return OWN.test(value);
  if (name === 'xml:space') return true;
  // A reference or an escape could stand for any value.
  if (name.includes(':') || /[\\&]/.test(value)) return false;
  for (const [, called = ''] of value.matchAll(/([\w-]*)\(/g)) {
    if (!FUNCTIONS.has(called)) return false;
  }
  return !/url\((?!#[\w.-]+\))/.test(value);
}

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
  readonly links?: readonly BrandLink[];
  /** The target of emblem, name and logo: an https address, or a path of this origin; `/` by default. */
  readonly website?: string;
}

interface BrandLink {
  readonly label: string;
  /** The label in other languages, by BCP 47 tag. */
  readonly texts?: TextByTag;
  /** An https address, or a path of this origin. */
  readonly href: string;
}

/** Throws BrandError or TextsError, with a line that names the invalid part. */
export function checkedBrand(brand: Brand): Brand {
  preparedBrand(brand);
  return brand;
}

/** `checkedBrand`, cached per brand object. Throws the same errors. */
export const preparedBrand = oncePer(
  ({ style = '', accent, emblem, logo, links = [], website = '/' }: Brand) => {
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
      header: (serviceName: string) => html`<a href="${website}">${shown(serviceName)}</a>`,
      footer: (tag: string) => (links.length === 0 ? '' : footer(links, tag)),
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
