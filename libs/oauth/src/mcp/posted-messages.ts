import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  type InboundLegacyRoute,
  type InboundModernRoute,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '#libs/json';
import { JSON_RPC_CODES, JsonRpcError } from './json-rpc.error.js';
import { type McpEra, MODERN_REVISION } from './mcp-server.js';
import {
  requireStandardHeaders,
  type StandardHeaders,
  standardHeadersOf,
} from './standard-headers.js';

export interface PostedHead {
  readonly headers: IncomingHttpHeaders;
  /** Whether the client takes a JSON answer. */
  readonly acceptsJson: () => boolean;
}

const REASONS_OF_REQUESTS: ReadonlySet<string> = new Set(['initialize', 'no-claim']);

/** What is to be answered of a posted body; of notifications and responses nothing is. */
export interface PostedMessages {
  readonly era: McpEra;
  readonly requests: readonly JSONRPCRequest[];
  readonly isBatch: boolean;
}

/**
 * The checks that the library's transport makes of a posted body, before anything in it is done: what
 * it is, of which era, and whether its headers say so too.
 * @throws JsonRpcError with the id of the request, where it has one
 */
export function readMessages(body: unknown, { headers, acceptsJson }: PostedHead): PostedMessages {
  const named = standardHeadersOf(headers);
  const route = classifyInboundRequest({ httpMethod: 'POST', body, ...named });
  if (route.kind === 'reject') {
    const { message, code, httpStatus: status, data } = route;
    throw new JsonRpcError(message, code, { status, data, id: idOf(body) });
  }
  if (route.kind === 'modern') return modernMessages(route, named);
  if (!acceptsJson()) {
    throw new JsonRpcError('the answer is application/json: accept that', JSON_RPC_CODES.other, {
      status: 406,
    });
  }
  return legacyMessages(body, route, named);
}

function modernMessages(route: InboundModernRoute, named: StandardHeaders): PostedMessages {
  const { message, messageKind, classification } = route;
  const { revision: requested = 'unknown' } = classification;
  if (requested !== MODERN_REVISION) {
    const supported = [MODERN_REVISION];
    const {
      message: text,
      code,
      data,
    } = new UnsupportedProtocolVersionError({ supported, requested });
    throw new JsonRpcError(text, code, { data, id: idOf(message) });
  }
  if (messageKind === 'notification') return { era: 'modern', requests: [], isBatch: false };
  requireStandardHeaders(named, message);
  return { era: 'modern', requests: [message], isBatch: false };
}

function legacyMessages(
  body: unknown,
  { reason }: InboundLegacyRoute,
  { protocolVersionHeader }: StandardHeaders,
): PostedMessages {
  const isBatch = reason === 'batch';
  const messages = isBatch ? (body as readonly unknown[]) : [body];
  // One that is alone was looked at to find its route.
  const isRequest = isBatch ? isJSONRPCRequest : () => REASONS_OF_REQUESTS.has(reason);
  const requests = messages.filter((one): one is JSONRPCRequest => isRequest(one));
  const begins = requests.some((one) => one.method === 'initialize' && isInitializeRequest(one));
  if (begins && messages.length > 1) {
    throw new JsonRpcError('Invalid Request: Only one initialization request is allowed');
  }
  const version = protocolVersionHeader;
  if (!begins && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    const message = `Bad Request: Unsupported protocol version (supported versions: ${supported})`;
    throw new JsonRpcError(message, JSON_RPC_CODES.other);
  }
  return { era: 'legacy', requests, isBatch };
}

/** Of a request that an error can be told of under its own id (JSON-RPC 2.0 §5). */
function idOf(body: unknown) {
  if (!isJsonObject(body) || typeof body['method'] !== 'string') return null;
  const { id } = body;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
