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
  readonly addresses: readonly Address[];
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly certificates?: readonly string[] | undefined;
  readonly onStatus?: (status: number) => void;
}

/** A JSON response with status 200, on a connection of its own. Throws ClientDocumentError, and Undici's errors. */
export async function requestJson(
  url: URL,
  { addresses, maxBytes, timeoutMs, certificates, onStatus }: JsonRequest,
  signal: AbortSignal,
): Promise<FetchedJson> {
  const client = new Client(url.origin, {
    connect: buildConnector({
      lookup: (_host, _options, found) => found(null, [...addresses]),
      autoSelectFamily: true,
      timeout: timeoutMs,
      allowH2: false,
      maxCachedSessions: 0,
      rejectUnauthorized: true,
      ...(certificates && { ca: [...certificates] }),
    }),
    pipelining: 0,
    allowH2: false,
    maxResponseSize: maxBytes,
  });
  try {
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
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new ClientDocumentError('is compressed, which was not asked for');
    }
    if (!JSON_TYPE.test(String(headers['content-type'] ?? ''))) {
      throw new ClientDocumentError('is not JSON by its content type');
    }
    const text = decodeUtf8(await body.bytes());
    if (text === undefined) throw new ClientDocumentError('is not UTF-8');
    const cacheControl = headers['cache-control'];
    return { text, cacheControl: cacheControl && String(cacheControl) };
  } finally {
    await client.destroy();
  }
}
