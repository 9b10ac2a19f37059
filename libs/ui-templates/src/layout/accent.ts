import { BrandError } from './brand.error.js';

/** The minimum contrast of text against its background (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

const WHITE = '#ffffff';
const BLACK = '#000000';

/**
 * For each colour scheme: the backgrounds of accents, as in style.ts, and the colour towards which shades become more
 * readable.
 */
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
