/** The members of a JSON object, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON value; `undefined` when the text is invalid JSON, or the bytes are invalid UTF-8. */
export function parseJson(from: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof from === 'string' ? from : UTF8.decode(from));
  } catch {
    return undefined;
  }
}

/** The text without a byte order mark; `undefined` when the bytes are invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The same text for equal JSON values, independent of the order of members. `1e999` is not null, as JSON has it. */
export function canonicalJson(value: unknown): string {
  if (value === Infinity || value === -Infinity) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each)).join()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join()}}`;
}

export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const each of inner) if (isNestedDeeper(each, levels - 1)) return true;
  return false;
}

/**
 * Whether a value is nested deeper than `levels`, or its JSON surely has more than `characters`. Stops at the first part
 * that exceeds either; the JSON of a value that passes may still be longer, by its separators and escapes.
 */
export function isLongerOrDeeper(value: unknown, characters: number, levels: number): boolean {
  let left = characters;
  const passes = (each: unknown, inner: number): boolean => {
    left -= typeof each === 'string' ? each.length + 2 : 1;
    if (left < 0) return true;
    if (typeof each !== 'object' || each === null) return false;
    if (inner < 0) return true;
    if (Array.isArray(each)) return each.some((one) => passes(one, inner - 1));
    const members = each as JsonObject;
    if (typeof members['toJSON'] === 'function') return false;
    for (const name of Object.keys(members)) {
      if (members[name] === undefined) continue;
      left -= name.length + 3;
      if (passes(members[name], inner - 1)) return true;
    }
    return false;
  };
  return passes(value, levels - 1);
}

export interface JsonCounts {
  /** Members of objects, repeated names included. */
  readonly members: number;
  /** Elements of arrays. */
  readonly elements: number;
  /** Nesting of objects and arrays; 0 for a bare value. */
  readonly levels: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the parts of a JSON text in UTF-8, without parsing or recursion, up to the first limit that is passed. In
 * invalid JSON it counts at least what a parser would read before it fails.
 */
export function countJson(
  bytes: Uint8Array,
  limits: JsonCounts,
): JsonCounts & { readonly passed?: keyof JsonCounts } {
  let [members, elements, levels] = [0, 0, 0];
  let isInArray = false;
  const outer: boolean[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
    } else if (byte === COLON) {
      members += 1;
      if (members > limits.members) return { members, elements, levels, passed: 'members' };
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      outer.push(isInArray);
      isInArray = byte === OPEN_ARRAY;
      levels = Math.max(levels, outer.length);
      if (levels > limits.levels) return { members, elements, levels, passed: 'levels' };
      if (isInArray && bytes[endOfSpace(bytes, at + 1)] !== CLOSE_ARRAY) elements += 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      isInArray = outer.pop() ?? false;
    } else if (byte === COMMA && isInArray) {
      elements += 1;
    }
    if (elements > limits.elements) return { members, elements, levels, passed: 'elements' };
  }
  return { members, elements, levels };
}

function endOfString(bytes: Uint8Array, start: number) {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Skips all bytes up to the space, which include JSON's white space; other control characters are invalid JSON. */
function endOfSpace(bytes: Uint8Array, start: number) {
  let at = start;
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1;
  return at;
}

/** Whole seconds since 1970, as answers have them, from epoch milliseconds. */
export const epochSeconds = (ms: number) => Math.floor(ms / 1000);
