import { errors } from 'undici';
import { hostAndPort } from '../client-id-url.js';
import { ClientDocumentError, FetchOverloadError } from './client-document.error.js';
import { connectableAddresses } from './connectable-addresses.js';
import { freshForMs } from './document-lifetimes.js';
import { FetchQueue } from './fetch-queue.js';
import { type FetchedJson, requestJson } from './json-request.js';
import type { Lookup } from './name-resolution.js';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_KEY_SET_BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;
/** Who had less than this after waiting for a turn cannot blame the host. */
const FAIR_MS = TIMEOUT_MS / 2;
const LIMITS = { atOnce: 8, atOncePerHost: 2, maxWaiting: 100 };

export interface DocumentFetchOptions {
  /** `host:port` that may resolve to private or loopback addresses, and may be on any port. */
  readonly privateHosts: readonly string[];
  /** All addresses of a name; DNS, or the system's way for private hosts, unless a test says otherwise. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust instead of the system's, for tests. */
  readonly certificates?: readonly string[];
}

/**
 * Fetches what strangers name, without letting them reach anything but the public Internet: a name
 * is resolved once, all its addresses are checked and the connection goes to one of just these.
 * https on port 443, no redirects, no proxies, no compression, no connection used twice, 3 seconds in
 * all, at most 8 at once and 2 of one host. Whatever goes wrong is a ClientDocumentError.
 */
export class DocumentFetch {
  private readonly queue = new FetchQueue(LIMITS);

  constructor(private readonly options: DocumentFetchOptions) {}

  /** The text of a JSON answer with status 200. */
  async getJson(address: string, maxBytes = MAX_DOCUMENT_BYTES): Promise<FetchedJson> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = this.checkedUrl(address);
    let begun = Infinity;
    const fetch = () => {
      begun = performance.now();
      return this.resolveAndRequest(url, maxBytes, signal);
    };
    try {
      return await this.queue.run(url.host, fetch, signal);
    } catch (error) {
      if (!signal.aborted) throw asDocumentError(error);
      if (performance.now() - begun < FAIR_MS) throw new FetchOverloadError();
      throw new ClientDocumentError(`took longer than ${TIMEOUT_MS} ms`, { transient: true });
    }
  }

  /** For the key sets of clients (`jwks_uri`): as much of the standard `fetch` as that takes. */
  readonly fetch = async (address: string | URL, init: { method?: string } = {}) => {
    if ((init.method ?? 'GET') !== 'GET') throw new ClientDocumentError('only GET is possible');
    const { text, cacheControl } = await this.getJson(String(address), MAX_KEY_SET_BYTES);
    const maxAgeSeconds = freshForMs(cacheControl) / 1000;
    return new Response(text, {
      headers: {
        'content-type': 'application/json',
        'cache-control': `max-age=${maxAgeSeconds}`,
      },
    });
  };

  private checkedUrl(address: string): URL {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') throw new ClientDocumentError('is not an https URL');
    if (url.port === '' || this.isPrivate(url)) return url;
    throw new ClientDocumentError('is not on the default port');
  }

  private isPrivate(url: URL) {
    return this.options.privateHosts.includes(hostAndPort(url));
  }

  private async resolveAndRequest(url: URL, maxBytes: number, signal: AbortSignal) {
    const { lookup, certificates } = this.options;
    const resolution = { isPrivate: this.isPrivate(url), lookup };
    const addresses = await connectableAddresses(url, resolution, signal);
    signal.throwIfAborted();
    const request = { addresses, maxBytes, certificates, timeoutMs: TIMEOUT_MS };
    return requestJson(url, request, signal);
  }
}

/** What is not an answer says nothing about the client, except that an answer is too large. */
function asDocumentError(error: unknown): ClientDocumentError {
  if (error instanceof ClientDocumentError) return error;
  const transient = !(error instanceof errors.ResponseExceededMaxSizeError);
  const message = `could not be fetched: ${String(error)}`;
  return new ClientDocumentError(message, { cause: error, transient });
}
