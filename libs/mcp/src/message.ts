import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { countJson, isJsonObject, type JsonObject, parseJson } from '#libs/platform';
import { JsonRpcError, SERVER_ERROR } from './errors.js';
import { requireStandardHeaders, standardHeadersOf } from './message-headers.js';

/** The revision whose requests each carry what earlier ones, of 2025, sent once at initialization. */
export const MODERN_REVISION = '2026-07-28';

/** The protocol era by which the SDK interprets a message. */
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

/**
 * Parses a posted body as JSON after counting members, elements and levels in its bytes.
 * @throws JsonRpcError when a limit is exceeded, or when the body is not JSON
 */
export function parsePosted(bytes: Uint8Array): unknown {
  const { passed } = countJson(bytes, LIMITS);
  if (passed !== undefined) {
    throw new JsonRpcError(`the body has more than ${LIMITS[passed]} ${WORDS[passed]}; send less`);
  }
  const body = parseJson(bytes);
  if (body === undefined)
    throw new JsonRpcError('the body is not JSON', ProtocolErrorCode.ParseError);
  return body;
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
  /** The tool arguments; undefined when there are none. */
  readonly input: JsonObject | undefined;
}

/** The requests of a posted body; notifications and responses get no answer. */
export interface PostedMessages {
  readonly era: McpEra;
  readonly requests: readonly PostedRequest[];
  readonly isBatch: boolean;
}

/**
 * Makes the checks of the SDK's transport before any message is processed: the kind of message, its era, and
 * whether the headers agree with it.
 *
 * The SDK checks each value of a message several times and writes a sentence for each invalid one. It
 * therefore gets no tool arguments, and at most 1,000 values beside them.
 * @throws JsonRpcError with the id of the request, if it has one
 */
export function readMessages(
  body: unknown,
  headers: IncomingHttpHeaders,
  acceptsJson: () => boolean,
): PostedMessages {
  const posted = Array.isArray(body) ? body.map(leanMessage) : leanMessage(body);
  if (holdsMoreThan(MAX_VALUES, posted)) {
    throw new JsonRpcError(`beside arguments, at most ${MAX_VALUES} values are taken; send less`);
  }
  const named = standardHeadersOf(headers);
  const route = classifyInboundRequest({ httpMethod: 'POST', body: posted, ...named });
  if (route.kind === 'reject') {
    const { message, code, httpStatus: status, data } = route;
    throw new JsonRpcError(message, code, { status, data, id: idOf(body) });
  }
  if (route.kind === 'modern') {
    const { message, messageKind, classification } = route;
    expectModernRevision(classification.revision, message);
    if (messageKind === 'notification') return { era: 'modern', requests: [], isBatch: false };
    requireStandardHeaders(named, message);
    return { era: 'modern', requests: [{ message, input: inputOf(body) }], isBatch: false };
  }
  if (!acceptsJson()) {
    const message = 'the answer is application/json: accept that';
    throw new JsonRpcError(message, SERVER_ERROR, { status: 406 });
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
  expectLegacyVersion(requests, messages.length, named.protocolVersionHeader);
  return { era: 'legacy', requests, isBatch };
}

function expectModernRevision(requested = 'unknown', message: unknown) {
  if (requested === MODERN_REVISION) return;
  const error = new UnsupportedProtocolVersionError({ supported: [MODERN_REVISION], requested });
  throw new JsonRpcError(error.message, error.code, { data: error.data, id: idOf(message) });
}

function expectLegacyVersion(
  requests: readonly PostedRequest[],
  messages: number,
  version: string | undefined,
) {
  const begins = requests.some(
    ({ message }) => message.method === 'initialize' && isInitializeRequest(message),
  );
  if (begins && messages > 1) {
    throw new JsonRpcError('Invalid Request: Only one initialization request is allowed');
  }
  if (begins || version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  const message = `Bad Request: Unsupported protocol version (supported versions: ${supported})`;
  throw new JsonRpcError(message, SERVER_ERROR);
}

const isToolCall = (message: unknown): message is { params: { arguments: JsonObject } } =>
  isJsonObject(message) &&
  message['method'] === 'tools/call' &&
  isJsonObject(message['params']) &&
  isJsonObject(message['params']['arguments']);

const inputOf = (message: unknown) => (isToolCall(message) ? message.params.arguments : undefined);

function leanMessage(message: unknown): unknown {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return message;
  const params: Record<string, unknown> = { ...message['params'] };
  if (isToolCall(message)) delete params['arguments'];
  if (isJsonObject(params['_meta'])) params['_meta'] = reservedOf(params['_meta']);
  return { ...message, params };
}

const reservedOf = (meta: JsonObject) =>
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
function idOf(body: unknown) {
  if (!isJsonObject(body) || typeof body['method'] !== 'string') return null;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
