import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { countJson, isJsonObject, type JsonObject, parseJson } from '#libs/platform';
import { JsonRpcError, SERVER_ERROR } from './errors.js';
import { envelopeProblem } from './message-problem.js';
import { requireStandardHeaders, standardHeadersOf } from './message-headers.js';

/** The revision whose requests each carry what earlier ones, of 2025, sent once at initialization. */
export const MODERN_REVISION = '2026-07-28';

export type McpEra = 'modern' | 'legacy';

export type McpAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/** In bytes. */
export const MAX_MESSAGE_BYTES = 512 * 1024;

/** What a JSON parser handles quickly; the library takes a hundred times as long for the same body. */
const LIMITS = { members: 10_000, elements: 100_000, levels: 100 };

const WORDS = {
  members: 'members in its objects',
  elements: 'elements in its arrays',
  levels: 'levels',
};

/** What a member or an element takes beside its text: `{}` in an array is 3 bytes, and 60 when it is parsed. */
const PART_BYTES = 64;

interface PostedBody {
  readonly body: unknown;
  /** What it takes in memory, in bytes, at most. */
  readonly weight: number;
}

/** Parses a posted body after counting its parts in its bytes. @throws JsonRpcError */
export function parsePosted(bytes: Uint8Array): PostedBody {
  const { passed, members, elements } = countJson(bytes, LIMITS);
  if (passed !== undefined) {
    throw new JsonRpcError(`the body has more than ${LIMITS[passed]} ${WORDS[passed]}; send less`);
  }
  const body = parseJson(bytes);
  if (body === undefined)
    throw new JsonRpcError('the body is not JSON', ProtocolErrorCode.ParseError);
  return { body, weight: bytes.length + PART_BYTES * (members + elements) };
}

/** More than any client sends about itself and a call, beside its arguments. */
const MAX_VALUES = 1_000;

/** The values of a parameter in the messages of this method, in a posted message or batch. */
export function paramsIn(body: unknown, method: string, parameter: string): unknown[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || message['method'] !== method) return [];
    const { params } = message;
    return isJsonObject(params) ? [params[parameter]] : [];
  });
}

/** A request as the SDK gets it: without tool arguments, and in `_meta` only names that the protocol reserves. */
export interface PostedRequest {
  readonly message: JSONRPCRequest;
  readonly input: JsonObject | undefined;
}

export interface PostedMessages {
  readonly era: McpEra;
  readonly requests: readonly PostedRequest[];
  readonly isBatch: boolean;
}

/** Whether a client reads answers of these types; asked only where the answer depends on it. */
export interface AcceptedTypes {
  readonly json: () => boolean;
  readonly events: () => boolean;
}

/**
 * Makes the checks of the SDK's transport before any message is processed: the kind of message, its era, and whether
 * the headers agree with it; forgives what the contract says. The SDK checks each value several times and writes a
 * sentence for each invalid one, so it gets no tool arguments and at most 1,000 other values. @throws JsonRpcError
 * with the id of the request, if it has one
 */
export function readMessages(
  body: unknown,
  headers: IncomingHttpHeaders,
  accepts: AcceptedTypes,
): PostedMessages {
  const id = idOf(body);
  const named = standardHeadersOf(headers, id);
  const version = named.protocolVersionHeader;
  const isOf2025 = version !== undefined && SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  const lean = (message: unknown) => leanMessage(message, isOf2025);
  const posted = Array.isArray(body) ? body.map(lean) : lean(body);
  if (holdsMoreThan(MAX_VALUES, posted)) {
    const message = `beside arguments, at most ${MAX_VALUES} values are taken; send less`;
    throw new JsonRpcError(message, ProtocolErrorCode.InvalidRequest, { id });
  }
  const isHandshake = isJsonObject(posted) && posted['method'] === 'initialize';
  const isKnown = version === undefined || VERSIONS.includes(version);
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: posted,
    ...named,
    // `initialize` goes by its body, and a message of 2025 by this header alone.
    ...((isHandshake || isOf2025 || !isKnown) && { protocolVersionHeader: undefined }),
  });
  const isRefused = route.kind === 'reject' && route.code === ProtocolErrorCode.InvalidRequest;
  const problem = isRefused ? envelopeProblem(posted) : undefined;
  if (problem) throw new JsonRpcError(problem.sentence, problem.code, { id });
  if (!isKnown && !isHandshake) {
    throw unknownVersion(version, id, route.kind === 'modern' ? [MODERN_REVISION] : VERSIONS);
  }
  if (route.kind === 'reject') {
    const { message, code, httpStatus: status, data } = route;
    throw new JsonRpcError(message, code, { status, data, id });
  }
  if (route.kind === 'modern') {
    const { message, messageKind, classification } = route;
    if (classification.revision !== MODERN_REVISION) {
      throw unknownVersion(classification.revision ?? 'unknown', id, [MODERN_REVISION]);
    }
    if (messageKind === 'notification') return { era: 'modern', requests: [], isBatch: false };
    requireStandardHeaders(named, message);
    return { era: 'modern', requests: [{ message, input: inputOf(body) }], isBatch: false };
  }
  if (version === MODERN_REVISION && !isHandshake) {
    const message = `a message of ${MODERN_REVISION} is one request or one notification`;
    throw new JsonRpcError(message, SERVER_ERROR, { id });
  }
  const isBatch = route.reason === 'batch';
  // The classification has already checked a single message, but not the messages of a batch.
  const isRequest = isBatch
    ? isJSONRPCRequest
    : () => route.reason === 'initialize' || route.reason === 'no-claim';
  const messages: readonly unknown[] = isBatch ? (posted as unknown[]) : [posted];
  const sent: readonly unknown[] = isBatch ? (body as unknown[]) : [body];
  const requests = messages.flatMap((message, at) =>
    isRequest(message) ? [{ message: message as JSONRPCRequest, input: inputOf(sent[at]) }] : [],
  );
  expectOneHandshake(requests, messages.length);
  if (requests.length > 0 && !accepts.json() && !accepts.events()) {
    const message = 'the answer is application/json or text/event-stream: accept one of them';
    throw new JsonRpcError(message, SERVER_ERROR, { status: 406, id });
  }
  return { era: 'legacy', requests, isBatch };
}

const VERSIONS = [MODERN_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** `supported` are those that such a message can have: `server/discover` of 2026-07-28 names its own alone. */
function unknownVersion(requested: string, id: RequestId | null, supported: readonly string[]) {
  const message = `this protocol version is not supported; these are: ${VERSIONS.join(', ')}`;
  const versions = { supported: [...supported], requested };
  const { code, data } = new UnsupportedProtocolVersionError(versions);
  return new JsonRpcError(message, code, { data, id });
}

function expectOneHandshake(requests: readonly PostedRequest[], messages: number) {
  const begins = requests.some(
    ({ message }) => message.method === 'initialize' && isInitializeRequest(message),
  );
  if (begins && messages > 1) {
    throw new JsonRpcError('Invalid Request: Only one initialization request is allowed');
  }
}

const isToolCall = (message: unknown): message is { params: { arguments: JsonObject } } =>
  isJsonObject(message) &&
  message['method'] === 'tools/call' &&
  isJsonObject(message['params']) &&
  isJsonObject(message['params']['arguments']);

const inputOf = (message: unknown) => (isToolCall(message) ? message.params.arguments : undefined);

const ENVELOPE = ['jsonrpc', 'id', 'method', 'params'];

/** The message as the SDK takes it: null counts as absent, and what the protocol does not name is left out. */
function leanMessage(message: unknown, isOf2025: boolean): unknown {
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return message;
  // A message that is a response, too, is refused.
  if ('result' in message || 'error' in message) return message;
  const lean = Object.fromEntries(
    ENVELOPE.flatMap((name) => (name in message ? [[name, message[name]]] : [])),
  );
  const params = message['params'] ?? undefined;
  if (!isJsonObject(params)) return params === undefined ? { ...lean, params } : lean;
  return { ...lean, params: leanParams(message['method'], params, isOf2025) };
}

function leanParams(method: string, sent: JsonObject, isOf2025: boolean): JsonObject {
  const params: Record<string, unknown> = withoutNull(sent);
  const { arguments: input, _meta: meta } = params;
  if (method === 'tools/call' && isJsonObject(input)) delete params['arguments'];
  if (input === '' || (Array.isArray(input) && input.length === 0)) delete params['arguments'];
  if (isJsonObject(meta)) {
    const reserved = reservedOf(withoutNull(meta));
    if (isOf2025) delete reserved[PROTOCOL_VERSION_META_KEY];
    params['_meta'] = reserved;
  }
  if (method !== 'initialize') return params;
  const { clientInfo = {}, capabilities = {} } = params;
  return {
    ...params,
    capabilities: withoutNullWithin(capabilities),
    clientInfo: isJsonObject(clientInfo)
      ? { name: '', version: '', ...(withoutNullWithin(clientInfo) as JsonObject) }
      : clientInfo,
  };
}

const withoutNull = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Without members that are null, at any depth of objects. The levels of a body are bounded. */
function withoutNullWithin(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(withoutNull(value));
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutNullWithin(inner)]));
}

const reservedOf = (meta: JsonObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(meta).filter(
      ([name]) => name === 'progressToken' || name.startsWith('io.modelcontextprotocol/'),
    ),
  );

function holdsMoreThan(most: number, value: unknown): boolean {
  let left = most;
  const isOver = (outer: unknown): boolean =>
    typeof outer === 'object' &&
    outer !== null &&
    Object.values(outer).some((inner) => {
      left -= 1;
      return left < 0 || isOver(inner);
    });
  return isOver(value);
}

/** The id for an error response: that of the request, or null when the body has none (JSON-RPC 2.0 §5). */
function idOf(body: unknown): RequestId | null {
  if (!isJsonObject(body) || 'result' in body || 'error' in body) return null;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
