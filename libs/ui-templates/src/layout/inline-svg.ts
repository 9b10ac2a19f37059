import { Html } from '../html/html.js';
import { BrandError } from './brand.error.js';

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

/**
 * Attributes are separated by HTML whitespace; `\s` would also match characters that a browser reads as part of a
 * word.
 */
const TAG =
  /<(\/?)([a-z][\w:.-]*)((?:[ \t\r\n]+[\w:.-]+[ \t\r\n]*=[ \t\r\n]*(?:"[^"<>]*"|'[^'<>]*'))*)[ \t\r\n]*(\/?)>/iy;
const ATTRIBUTE = /([\w:.-]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g;
const TEXT = /[^<>]+/y;

/**
 * One `svg` element that is safe in a page: it only draws, and refers to nothing outside itself. Throws BrandError
 * that names the fault.
 */
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
