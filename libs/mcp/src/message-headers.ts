import type { IncomingHttpHeaders } from 'node:http';
import type { InboundHttpRequest, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';
import { decodeUtf8, isJsonObject, type JsonObject } from '#libs/platform/json';
import { HEADER_MISMATCH, JsonRpcError } from './errors.js';

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

/** The arguments that an input schema marks, at any depth. @throws Error for a mark that no request could satisfy */
export function headerArgumentsOf(schema: JsonObject): readonly HeaderArgument[] {
  const found = argumentsBelow(schema, []);
  const isMisplaced = JSON.stringify(schema).split(`"${KEYWORD}":`).length - 1 > found.length;
  if (isMisplaced) throw new Error(`${KEYWORD} is for properties, below properties alone`);
  const names = new Set(found.map(({ header }) => header));
  if (names.size < found.length) throw new Error(`two arguments have one ${KEYWORD}`);
  return found;
}

function argumentsBelow(schema: unknown, path: readonly string[]): HeaderArgument[] {
  const { properties } = isJsonObject(schema) ? schema : {};
  if (!isJsonObject(properties)) return [];
  const found: HeaderArgument[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const at = [...path, name];
    const header = headerOf(property);
    if (header !== undefined) found.push({ path: at, header });
    found.push(...argumentsBelow(property, at));
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

export const isSameValue = (text: string, value: string | number | boolean): boolean =>
  typeof value === 'number' && DECIMAL.test(text) ? Number(text) === value : text === String(value);

type StandardHeaders = Pick<
  InboundHttpRequest,
  'protocolVersionHeader' | 'mcpMethodHeader' | 'mcpNameHeader'
>;

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The headers, each once: Node joins repeated ones with commas. @throws JsonRpcError for two that differ */
export const standardHeadersOf = (
  headers: IncomingHttpHeaders,
  id: RequestId | null,
): StandardHeaders => ({
  protocolVersionHeader: onlyValue(headers, 'mcp-protocol-version', id),
  mcpMethodHeader: onlyValue(headers, 'mcp-method', id),
  // A uri may have commas: what two different values are is seen in comparison with the body.
  mcpNameHeader: headers['mcp-name'] as string | undefined,
});

function onlyValue(headers: IncomingHttpHeaders, name: string, id: RequestId | null) {
  const values = valuesOf(headers[name]);
  if (values.length < 2) return values[0];
  const message = `the header ${name} has two values that differ; send one`;
  throw new JsonRpcError(message, HEADER_MISMATCH, { id });
}

function valuesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const values = String(header).split(',');
  return [...new Set(values.map((value) => value.trim()))];
}

/**
 * Every request of 2026-07-28 repeats parts of its body in headers, for proxies. The library compares those that are
 * there; this checks that they are, and the name. @throws JsonRpcError -32020
 */
export function requireStandardHeaders(
  { protocolVersionHeader, mcpMethodHeader, mcpNameHeader }: StandardHeaders,
  { id, method, params }: JSONRPCRequest,
): void {
  const disagree = (body: string, header?: string) => mismatch(id, body, header);
  if (protocolVersionHeader === undefined) throw disagree('Mcp-Protocol-Version is missing');
  if (mcpMethodHeader === undefined) throw disagree('Mcp-Method is missing');
  const field = NAMED_BY.get(method);
  const value = field !== undefined && isJsonObject(params) ? params[field] : undefined;
  const isNamed = typeof value === 'string';
  if (field === undefined || (mcpNameHeader === undefined && !isNamed)) return;
  if (mcpNameHeader === undefined)
    throw disagree(`params.${field} needs Mcp-Name, which is missing`);
  const [once = '', ...others] = valuesOf(mcpNameHeader);
  const name = decoded(others.length === 0 && value !== mcpNameHeader ? once : mcpNameHeader);
  if (name === undefined) throw disagree('Mcp-Name is no Base64', mcpNameHeader);
  if (isNamed && name !== value) throw disagree(`Mcp-Name is not params.${field}`, mcpNameHeader);
}

/**
 * Checks that every argument that the called tool marks is repeated in its header; 2026-07-28 has no batches.
 * @throws JsonRpcError -32020
 */
export function requireArgumentHeaders(
  headers: IncomingHttpHeaders,
  [tool]: readonly { readonly inHeaders?: readonly HeaderArgument[] }[],
  [request]: readonly { readonly message: JSONRPCRequest; readonly input: unknown }[],
): void {
  if (!tool?.inHeaders || !request) return;
  for (const argument of tool.inHeaders) {
    const value = valueInHeader(argument, request.input);
    if (value === undefined) continue;
    const header = headers[argument.header];
    const fromHeader = typeof header === 'string' ? decoded(header) : undefined;
    if (fromHeader !== undefined && isSameValue(fromHeader, value)) continue;
    const body = `${argument.header} is not params.arguments.${argument.path.join('.')}`;
    throw mismatch(request.message.id, body, header);
  }
}

const mismatch = (id: RequestId, body: string, header: unknown = '(missing)') =>
  new JsonRpcError(`Bad Request: the request headers and body disagree: ${body}`, HEADER_MISMATCH, {
    id,
    data: { mismatch: { header, body } },
  });

function decoded(header: string): string | undefined {
  const [, base64] = ENCODED.exec(header) ?? [];
  if (base64 === undefined) return header;
  return BASE64.test(base64) ? decodeUtf8(Buffer.from(base64, 'base64')) : undefined;
}
