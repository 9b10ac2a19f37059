const MAX_LENGTH = 512;

/** What stands in a `User-Agent`, and what people call it; the first that is there, since most name others too. */
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

/**
 * A browser in words, such as "Firefox on Windows"; null for what is none that we know. Only names of
 * ours come out of it, whatever the header says.
 */
export function browserName(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH);
  const browser = nameIn(text, BROWSERS);
  if (browser === undefined) return null;
  const system = nameIn(text, SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

const nameIn = (text: string, names: readonly [string, string][]) =>
  names.find(([token]) => text.includes(token))?.[1];
