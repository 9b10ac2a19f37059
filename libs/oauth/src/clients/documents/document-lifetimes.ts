const SECOND = 1000;
const LEAST_MS = 60 * SECOND;
const MOST_MS = 24 * 60 * 60 * SECOND;

/**
 * For how long a shared cache may serve an answer without asking again, by its `Cache-Control`
 * (RFC 9111 §5.2.2): never less than 60 seconds, never more than 24 hours.
 */
export function freshForMs(cacheControl: string | undefined): number {
  const directives = parse(cacheControl ?? '');
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) return LEAST_MS;
  const seconds = directives.get('s-maxage') ?? directives.get('max-age') ?? '';
  if (!/^\d+$/.test(seconds)) return LEAST_MS;
  return Math.min(Math.max(Number(seconds) * SECOND, LEAST_MS), MOST_MS);
}

/** By name in lower case; the first of several counts. */
function parse(cacheControl: string) {
  const directives = new Map<string, string>();
  for (const directive of cacheControl.split(',')) {
    const [name = '', value = ''] = directive.split('=', 2).map((part) => part.trim());
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, value.replaceAll('"', ''));
  }
  return directives;
}
