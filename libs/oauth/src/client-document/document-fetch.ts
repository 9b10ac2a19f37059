import { currentVisitor } from '#libs/accounts';
import { type Span, httpSpan, inSpan, untraced, whileWaiting } from '#libs/platform';
import { clientIdUrlFault, hostAndPort } from '../client/client.js';
import { ClientDocumentError, freshForMs, usableKeys } from './client-document.js';
import { connectableAddresses, type Lookup } from './connectable-addresses.js';
import { FetchQueue } from './fetch-queue.js';
import type { FetchedJson } from './json-request.js';

/** Which hosts client-identifier metadata documents may come from. */
export interface ClientDocumentPolicy {
  /** When given, all other host names are refused. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly blockedHosts: readonly string[];
  /** `host:port` that may have private or loopback addresses and any port; for development only. */
  readonly privateHosts: readonly string[];
}

/** Whether this service may fetch from a host. `*.app.example` matches names below it; a dot at the end is ignored. */
export function isDocumentHostAllowed(
  hostname: string,
  { allowedHosts, blockedHosts = [] }: Partial<ClientDocumentPolicy>,
) {
  const name = hostname.replace(/\.$/, '');
  const isListed = (entry: string) =>
    entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry;
  return !blockedHosts.some(isListed) && (allowedHosts?.some(isListed) ?? true);
}

const MAX_DOCUMENT_BYTES = 5 * 1024;
export const MAX_KEY_SET_BYTES = 64 * 1024;
/** Measured from the start of the fetch; the wait in the queue does not count. */
const TIMEOUT_MS = 3_000;
const LIMITS = {
  atOnce: 32,
  atOncePerVisitor: 8,
  atOncePerHost: 8,
  maxAsking: 160,
  maxAskingPerVisitor: 64,
  patienceMs: 10_000,
};

export interface DocumentFetchOptions extends ClientDocumentPolicy {
  /** Hosts that neither list of the policy refuses, because the operator names them elsewhere. */
  readonly namedHosts?: readonly string[];
  /** All addresses of a name. By default DNS, or the system's resolver for private hosts; set by tests. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust instead of the system's, for tests. */
  readonly certificates?: readonly string[];
}

/**
 * Fetches from URLs that unauthenticated callers choose. Requests reach only the public Internet and the hosts that the
 * operator allows (SSRF protection): a name is resolved once, all its addresses are checked, and the connection goes to
 * one of them. https on port 443; no redirects, proxies, compression or reuse of connections. Every failure is a
 * ClientDocumentError.
 */
export class DocumentFetch {
  private readonly queue = new FetchQueue(LIMITS);

  constructor(private readonly options: DocumentFetchOptions) {}

  /** Why an address is refused without any request; undefined when it may be fetched. */
  refusalOf(address: string): string | undefined {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') return 'is not an https URL';
    if (url.port !== '' && !this.isPrivate(url)) return 'is not on the default port';
    const isNamed = this.options.namedHosts?.includes(url.hostname) ?? false;
    if (!isNamed && !isDocumentHostAllowed(url.hostname, this.options))
      return 'is on a host that is not allowed';
    return undefined;
  }

  /** As `refusalOf`, for the identifier of a client with a metadata document; a whole sentence for the log. */
  refusalOfClient(clientId: string): string | undefined {
    const fault = clientIdUrlFault(clientId, this.options.privateHosts);
    if (fault !== undefined) return fault;
    const refusal = this.refusalOf(clientId);
    return refusal && `${clientId} ${refusal}`;
  }

  async getJson(address: string, maxBytes = MAX_DOCUMENT_BYTES): Promise<FetchedJson> {
    return this.inTurn(address, (answer) => answer, maxBytes);
  }

  /** What `use` makes of the response in its turn, shared by all callers of the address during it. */
  async inTurn<T>(
    address: string,
    use: (answer: Promise<FetchedJson>) => Promise<T>,
    maxBytes = MAX_DOCUMENT_BYTES,
  ): Promise<T> {
    const refusal = this.refusalOf(address);
    if (refusal !== undefined) throw new ClientDocumentError(refusal);
    const url = new URL(address);
    const task = { key: `${maxBytes} ${url.href}`, host: url.host, visitor: shareOf() };
    const run = (span?: Span) =>
      this.queue.run(task, () => use(this.fetchInTime(url, maxBytes, span))) as Promise<T>;
    // The span includes the wait in the queue.
    return whileWaiting(() => inSpan(() => httpSpan('GET', url), run));
  }

  /**
   * For the key sets of clients (`jwks_uri`), of which it returns the usable keys: implements the part of the standard
   * `fetch` that they need.
   */
  readonly fetch = async (
    address: string | URL,
    init: { method?: string } = {},
  ): Promise<Response> => {
    if ((init.method ?? 'GET') !== 'GET') throw new ClientDocumentError('only GET is possible');
    const { text, cacheControl } = await this.getJson(String(address), MAX_KEY_SET_BYTES);
    const headers = { 'cache-control': `max-age=${freshForMs(cacheControl) / 1000}` };
    return Response.json({ keys: usableKeys(text) }, { headers });
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
    const addresses = await connectableAddresses(url, this.isPrivate(url), signal, lookup);
    signal.throwIfAborted();
    const onStatus = (status: number) => span?.set({ 'http.response.status_code': status });
    const request = { addresses, maxBytes, certificates, timeoutMs: TIMEOUT_MS, onStatus };
    // Loaded on first use, together with Undici, to keep the start fast.
    const { requestJson } = await import('./json-request.js');
    return requestJson(url, request, signal);
  }
}

/**
 * The key of a share in the queue: an IPv6 /48, since one site may have 65,536 visitors in it. Requests that foreign
 * pages trigger share one: such a page borrows the address of everyone who opens it.
 */
function shareOf() {
  const visitor = currentVisitor();
  return visitor?.isCrossSiteSubrequest ? 'foreign' : (visitor?.network ?? 'unknown');
}

/** Rejects when the time is up, even if a step ignores the signal and goes on. */
const end = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** A missing response says nothing about the client (transient); a response that is too large does. */
function asDocumentError(error: unknown): ClientDocumentError {
  if (error instanceof ClientDocumentError) return error;
  const isTooLarge = error instanceof Error && 'code' in error && error.code === TOO_LARGE;
  const message = `could not be fetched: ${String(error)}`;
  return new ClientDocumentError(message, { cause: error, transient: !isTooLarge });
}
