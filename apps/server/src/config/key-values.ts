const PAIR = /^([^\s=,]{1,128})\s*=\s*([^,]*)$/;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const OWN_HEADERS =
  /^(?:connection|content-.+|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;
const VISIBLE = /^[\x20-\x7E]*$/;

/**
 * `name=value` with commas in between, values percent-encoded where they have to be, as OpenTelemetry writes lists
 * in variables; undefined for anything else.
 */
export function readKeyValues(list: string): Readonly<Record<string, string>> | undefined {
  const pairs = list.split(',').map((entry) => readPair(entry.trim()));
  return pairs.some((pair) => pair === undefined)
    ? undefined
    : Object.fromEntries(pairs.filter((pair) => pair !== undefined));
}

function readPair(entry: string): readonly [string, string] | undefined {
  const [, name, value] = PAIR.exec(entry) ?? [];
  if (name === undefined || value === undefined) return undefined;
  try {
    return [name, decodeURIComponent(value.trim())];
  } catch {
    return undefined;
  }
}

export const isKeyValues = (list: string) => readKeyValues(list) !== undefined;

/** Headers that a request may be given besides those that are the sender's business. */
export function isHeaderList(list: string): boolean {
  const headers = Object.entries(readKeyValues(list) ?? {});
  return (
    headers.length > 0 &&
    headers.every(
      ([name, value]) => HEADER.test(name) && !OWN_HEADERS.test(name) && VISIBLE.test(value),
    )
  );
}
