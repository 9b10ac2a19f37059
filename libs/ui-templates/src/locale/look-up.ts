/**
 * The one of `available` that fits a wanted language best: itself, or what is left of it without its last
 * subtags (RFC 4647 §3.4): `de-CH-1996`, `de-CH`, `de`.
 *
 * @param available by tag in lower case
 */
export function lookUp<Found>(wanted: string, available: ReadonlyMap<string, Found>) {
  let range = wanted.toLowerCase();
  while (range !== '') {
    const found = available.get(range);
    if (found !== undefined) return found;
    range = range.slice(0, Math.max(0, range.lastIndexOf('-'))).replace(/-[a-z\d]$/, '');
  }
  return undefined;
}

/** Words that somebody wrote in some languages; undefined where none of them fits. */
export function textFor(
  tag: string,
  texts: Readonly<Record<string, string>> = {},
): string | undefined {
  const available = new Map(Object.entries(texts).map(([key, text]) => [key.toLowerCase(), text]));
  return lookUp(tag, available);
}
