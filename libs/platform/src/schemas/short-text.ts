const MAX_LENGTH = 64;
const MAX_ITEMS = 12;

/** A name as it is, or as JSON text where it is no plain one: it must not read as a sentence of ours. */
export const quoted = (name: string): string =>
  /^[A-Za-z0-9_$-]{1,64}$/.test(name) ? name : shortJson(name);

/** JSON text of a value, cut. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** `a, b and c`, or the first of them. */
export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_ITEMS).map((name) => quoted(name));
  if (names.length > MAX_ITEMS) return `${shown.join(', ')} and ${names.length - MAX_ITEMS} more`;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
