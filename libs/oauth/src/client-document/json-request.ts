import { buildConnector, Client } from 'undici';
import { decodeUtf8 } from '#libs/platform/json';
import { ClientDocumentError } from './client-document.js';
import type { Address } from './connectable-addresses.js';

const JSON_TYPE = /^[a-z0-9!#$&^_.+-]+\/(?:json|[a-z0-9!#$&^_.-]+\+json)\s*(?:;|$)/i;

export interface FetchedJson {
  readonly text: string;
  readonly cacheControl: string | undefined;
}

interface JsonRequest {
  /** The only addresses that the connection may use. */
  readonly addresses: readonly Address[];
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** PEM certificates to trust instead of the system's. */
  readonly certificates?: readonly string[] | undefined;
  readonly onStatus?: (status: number) => void;
}

/**
 * The text of a JSON response with status 200, on a connection of its own: no redirects, no proxies, no
 * compression. Throws ClientDocumentError for any other response, and Undici's errors without one.
 */
export async function requestJson(
  url: URL,
  request: JsonRequest,
  signal: AbortSignal,
): Promise<FetchedJson> {
  const client = new Client(url.origin, {
    connect: connectTo(request),
    pipelining: 0,
    allowH2: false,
    maxResponseSize: request.maxBytes,
  });
  try {
    return await get(client, url, signal, request.onStatus);
  } finally {
    await client.destroy();
  }
}

const connectTo = ({ addresses, timeoutMs, certificates }: JsonRequest) =>
  buildConnector({
    lookup: (_host, _options, found) => found(null, [...addresses]),
    autoSelectFamily: true,
    timeout: timeoutMs,
    allowH2: false,
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    ...(certificates && { ca: [...certificates] }),
  });

async function get(
  client: Client,
  url: URL,
  signal: AbortSignal,
  onStatus?: JsonRequest['onStatus'],
): Promise<FetchedJson> {
  const { statusCode, headers, body } = await client.request({
    method: 'GET',
    path: url.pathname + url.search,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'gatehouse',
    },
    signal,
  });
  onStatus?.(statusCode);
  if (statusCode !== 200) {
    const transient = statusCode === 429 || statusCode >= 500;
    throw new ClientDocumentError(`was answered with status ${statusCode}`, { transient });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new ClientDocumentError('is compressed, which was not asked for');
  }
  if (!JSON_TYPE.test(String(headers['content-type'] ?? ''))) {
    throw new ClientDocumentError('is not JSON by its content type');
  }
  const cacheControl = headers['cache-control'];
  const text = decodeUtf8(await body.bytes());
  if (text === undefined) throw new ClientDocumentError('is not UTF-8');
  return { text, cacheControl: cacheControl && String(cacheControl) };
}
