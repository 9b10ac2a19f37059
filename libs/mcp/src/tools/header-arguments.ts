import { isJsonObject } from '#libs/platform';
import type { ObjectSchema } from './mcp-tool.js';

/** An argument that a request repeats in a header, for proxies (MCP 2026-07-28, `x-mcp-header`). */
export interface HeaderArgument {
  readonly path: readonly string[];
  /** In lower case. */
  readonly header: string;
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/**
 * The arguments that an input schema marks, at any depth of `properties`.
 * @throws Error for a mark that no request could satisfy
 */
export function headerArgumentsOf(schema: ObjectSchema): readonly HeaderArgument[] {
  const found = marked(schema, []);
  const isMisplaced = JSON.stringify(schema).split(`"${KEYWORD}":`).length - 1 > found.length;
  if (isMisplaced) throw new Error(`${KEYWORD} is for properties, below properties alone`);
  const names = new Set(found.map(({ header }) => header));
  if (names.size < found.length) throw new Error(`two arguments have one ${KEYWORD}`);
  return found;
}

function marked(schema: unknown, path: readonly string[]): HeaderArgument[] {
  const { properties } = isJsonObject(schema) ? schema : {};
  if (!isJsonObject(properties)) return [];
  const found: HeaderArgument[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const at = [...path, name];
    const header = headerOf(property);
    if (header !== undefined) found.push({ path: at, header });
    found.push(...marked(property, at));
  }
  return found;
}

function headerOf(property: unknown): string | undefined {
  if (!isJsonObject(property) || property[KEYWORD] === undefined) return undefined;
  const { [KEYWORD]: header, type } = property;
  if (typeof header === 'string' && TOKEN.test(header) && TYPES.has(type)) {
    return `mcp-param-${header.toLowerCase()}`;
  }
  throw new Error(`${KEYWORD} is a token, for a string, an integer or a boolean`);
}

/** The value that the header has to repeat; undefined when the arguments do not contain it. */
export function valueInHeader(
  { path }: HeaderArgument,
  input: unknown,
): string | number | boolean | undefined {
  let value = input;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as string | number | boolean)
    : undefined;
}

/** Whether a decoded header has the same value as an argument. */
export const saysTheSame = (decoded: string, value: string | number | boolean): boolean =>
  typeof value === 'number' && DECIMAL.test(decoded)
    ? Number(decoded) === value
    : decoded === String(value);
