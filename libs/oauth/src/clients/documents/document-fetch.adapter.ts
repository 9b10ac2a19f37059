import { currentVisitor } from '#libs/accounts';
import { type Span, httpSpan, inSpan, untraced, whileWaiting } from '#libs/platform';
import { hostAndPort } from '../client-id-url.js';
import { ClientDocumentError } from './client-document.error.js';
import { connectableAddresses } from './connectable-addresses.js';
import { freshForMs } from './document-lifetimes.js';
import { FetchQueue } from './fetch-queue.js';
import { type HostPolicy, isHostAllowed } from './host-policy.js';
import type { FetchedJson } from './json-request.js';
import type { Lookup } from './name-resolution.js';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_KEY_SET_BYTES = 64 * 1024;
/** From its turn on. */
const TIMEOUT_MS = 3_000;
const LIMITS = {
  atOnce: 32,
  atOncePerVisitor: 8,
  atOncePerHost: 8,
  maxAsking: 160,
  maxAskingPerVisitor: 64,
  patienceMs: 10_000,
};

export interface DocumentFetchOptions extends HostPolicy {
  /** `host:port` that may resolve to private or loopback addresses, and may be on any port. */
  readonly privateHosts: readonly string[];
  /** All addresses of a name; DNS, or the system's way for private hosts, unless a test says otherwise. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust instead of the system's, for tests. */
  readonly certificates?: readonly string[];
}

/**
 * Fetches what strangers name, documents and key sets alike, without letting them reach anything but
 * the public Internet and the hosts that the operator allows: a name is resolved once, all its addresses
 * are checked and the connection goes to one of just these. https on port 443, no redirects, no proxies,
 * no compression, no connection used twice, 3 seconds from its turn. At most 32 at once, and 8 of one
 * visitor or of one host. Whatever goes wrong is a ClientDocumentError.
 */
export class DocumentFetch {
  private readonly queue = new FetchQueue(LIMITS);

  constructor(private readonly options: DocumentFetchOptions) {}

  /** Why nothing is ever fetched from an address, whatever is there; undefined when it may be asked. */
  refusalOf(address: string): string | undefined {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') return 'is not an https URL';
    if (url.port !== '' && !this.isPrivate(url)) return 'is not on the default port';
    if (!isHostAllowed(url.hostname, this.options)) return 'is on a host that is not allowed';
    return undefined;
  }

  /** The text of a JSON answer with status 200. */
  async getJson(address: string, maxBytes = MAX_DOCUMENT_BYTES): Promise<FetchedJson> {
    return this.inTurn(address, (answer) => answer, maxBytes);
  }

  /**
   * What is made of the text of a JSON answer, or of why there is none. That is part of the turn: all who
   * ask for the same address meanwhile get the one outcome.
   */
  async inTurn<T>(
    address: string,
    use: (answer: Promise<FetchedJson>) => Promise<T>,
    maxBytes = MAX_DOCUMENT_BYTES,
  ): Promise<T> {
    const refusal = this.refusalOf(address);
    if (refusal !== undefined) throw new ClientDocumentError(refusal);
    const url = new URL(address);
    const task = { key: `${maxBytes} ${url.href}`, host: url.host, visitor: shareOf() };
    // The wait for its turn included.
    return inSpan(
      () => httpSpan('GET', url),
      (span) =>
        this.queue.run(task, () => use(this.fetchInTime(url, maxBytes, span))) as Promise<T>,
    );
  }

  /** For the key sets of clients (`jwks_uri`): as much of the standard `fetch` as that takes. */
  readonly fetch = async (
    address: string | URL,
    init: { method?: string } = {},
  ): Promise<Response> => {
    if ((init.method ?? 'GET') !== 'GET') throw new ClientDocumentError('only GET is possible');
    const keySet = this.getJson(String(address), MAX_KEY_SET_BYTES);
    const { text, cacheControl } = await whileWaiting(() => keySet);
    const maxAgeSeconds = freshForMs(cacheControl) / 1000;
    return new Response(text, {
      headers: {
        'content-type': 'application/json',
        'cache-control': `max-age=${maxAgeSeconds}`,
      },
    });
  };

  private async fetchInTime(url: URL, maxBytes: number, span?: Span): Promise<FetchedJson> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const answer = untraced(() => this.resolveAndRequest(url, maxBytes, signal, span));
      return await Promise.race([answer, end(signal)]);
    } catch (error) {
      if (!signal.aborted) throw asDocumentError(error);
      throw new ClientDocumentError(`took longer than ${TIMEOUT_MS} ms`, { transient: true });
    }
  }

  private isPrivate(url: URL) {
    return this.options.privateHosts.includes(hostAndPort(url));
  }

  private async resolveAndRequest(url: URL, maxBytes: number, signal: AbortSignal, span?: Span) {
    const { lookup, certificates } = this.options;
    const resolution = { isPrivate: this.isPrivate(url), lookup };
    const addresses = await connectableAddresses(url, resolution, signal);
    signal.throwIfAborted();
    const onStatus = (status: number) => span?.set({ 'http.response.status_code': status });
    const request = { addresses, maxBytes, certificates, timeoutMs: TIMEOUT_MS, onStatus };
    // With the library, which no start has to wait for.
    const { requestJson } = await import('./json-request.js');
    return requestJson(url, request, signal);
  }
}

/**
 * Whose share of the turns it is. All of an IPv6 /48 have one together: a single site may have 65,536
 * visitors in it. So has what foreign pages ask for in passing: whoever looks at one lends it his address.
 */
function shareOf() {
  const visitor = currentVisitor();
  return visitor?.isInPassing ? 'passing' : (visitor?.network ?? 'nobody');
}

/** Rejects when the time is up, whoever goes on working meanwhile. */
const end = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Undici's `ResponseExceededMaxSizeError`. */
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** What is not an answer says nothing about the client, except that an answer is too large. */
function asDocumentError(error: unknown): ClientDocumentError {
  if (error instanceof ClientDocumentError) return error;
  const isTooLarge = error instanceof Error && 'code' in error && error.code === TOO_LARGE;
  const transient = !isTooLarge;
  const message = `could not be fetched: ${String(error)}`;
  return new ClientDocumentError(message, { cause: error, transient });
}
