const MAX_LENGTH = 512;

/** Substrings of a `User-Agent` and their display names. The first match wins: most browsers also name others. */
const BROWSERS: readonly [string, string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['DuckDuckGo/', 'DuckDuckGo'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly [string, string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
];

/** The display name of a browser, such as "Firefox on Windows", of our own names alone; null for an unknown one. */
export function browserName(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH);
  const browser = nameIn(text, BROWSERS);
  if (browser === undefined) return null;
  const system = nameIn(text, SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

const nameIn = (text: string, names: readonly [string, string][]) =>
  names.find(([token]) => text.includes(token))?.[1];
