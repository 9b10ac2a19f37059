import { isIP } from 'node:net';
import { buildConnector, Client, errors } from 'undici';
import { hostAndPort } from '../client-id-url.js';
import { freshForMs } from './document-lifetimes.js';
import { ClientDocumentError, FetchOverloadError } from './client-document.error.js';
import { FetchSlots, HostSlots } from './fetch-queue.js';
import {
  type Address,
  type Lookup,
  resolveListedName,
  resolvePublicName,
} from './name-resolution.js';
import { isSpecialUseAddress } from './special-use-address.js';

export const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_KEY_SET_BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;
/** Who had less than this after waiting for a turn cannot blame the host. */
const FAIR_MS = TIMEOUT_MS / 2;
const AT_ONCE = 8;
const AT_ONCE_PER_HOST = 2;
const MAX_WAITING = 100;
const JSON_TYPE = /^[a-z0-9!#$&^_.+-]+\/(?:json|[a-z0-9!#$&^_.-]+\+json)\s*(?:;|$)/i;

export interface DocumentFetchOptions {
  /** `host:port` that may resolve to private or loopback addresses, and may be on any port. */
  readonly privateHosts: readonly string[];
  /** All addresses of a name; DNS, or the system's way for private hosts, unless a test says otherwise. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust instead of the system's, for tests. */
  readonly certificates?: readonly string[];
}

export interface FetchedJson {
  readonly text: string;
  readonly cacheControl: string | undefined;
}

/**
 * Fetches what strangers name, without letting them reach anything but the public Internet: a name
 * is resolved once, all its addresses are checked and the connection goes to one of just these.
 * https on port 443, no redirects, no proxies, no compression, no connection used twice, 3 seconds in
 * all, at most 8 at once and 2 of one host. Whatever goes wrong is a ClientDocumentError.
 */
export class DocumentFetch {
  private readonly slots = new FetchSlots(AT_ONCE, MAX_WAITING);
  private readonly hostSlots = new HostSlots(AT_ONCE_PER_HOST, MAX_WAITING);

  constructor(private readonly options: DocumentFetchOptions) {}

  /** The text of a JSON answer with status 200. */
  async getJson(address: string, maxBytes = MAX_DOCUMENT_BYTES): Promise<FetchedJson> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = this.checkedUrl(address);
    const release = await this.turn(url, signal);
    const begun = performance.now();
    try {
      return await Promise.race([this.resolveAndGet(url, maxBytes, signal), ended(signal)]);
    } catch (error) {
      if (!signal.aborted) throw asDocumentError(error);
      if (performance.now() - begun < FAIR_MS) throw new FetchOverloadError();
      throw new ClientDocumentError(`took longer than ${TIMEOUT_MS} ms`, { transient: true });
    } finally {
      release();
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

  /** Waiting for one's host comes first: it takes no place from others. */
  private async turn(url: URL, signal: AbortSignal): Promise<() => void> {
    const releaseHost = await this.hostSlots.take(url.host, signal);
    try {
      const release = await this.slots.take(signal);
      return () => {
        release();
        releaseHost();
      };
    } catch (error) {
      releaseHost();
      throw error;
    }
  }

  private checkedUrl(address: string): URL {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') throw new ClientDocumentError('is not an https URL');
    if (url.port === '' || this.isPrivate(url)) return url;
    throw new ClientDocumentError('is not on the default port');
  }

  private isPrivate(url: URL) {
    return this.options.privateHosts.includes(hostAndPort(url));
  }

  private async resolveAndGet(url: URL, maxBytes: number, signal: AbortSignal) {
    const addresses = await this.resolve(url, signal);
    signal.throwIfAborted();
    const client = new Client(url.origin, {
      connect: this.connectTo(addresses),
      pipelining: 0,
      allowH2: false,
      maxResponseSize: maxBytes,
    });
    try {
      return await get(client, url, signal);
    } finally {
      await client.destroy();
    }
  }

  /** Undici asks nobody about a host that is an address already, so that is looked at here too. */
  private async resolve(url: URL, signal: AbortSignal): Promise<readonly Address[]> {
    const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
    const family = isIP(host);
    const standard = this.isPrivate(url) ? resolveListedName : resolvePublicName;
    const lookup = this.options.lookup ?? standard;
    const addresses = family === 0 ? await lookup(host, signal) : [{ address: host, family }];
    if (addresses.length === 0) {
      throw new ClientDocumentError(`${host} has no address`, { transient: true });
    }
    const refused = addresses.find(({ address }) => isSpecialUseAddress(address));
    if (refused === undefined || this.isPrivate(url)) return addresses;
    throw new ClientDocumentError(`${host} has the special-use address ${refused.address}`);
  }

  private connectTo(addresses: readonly Address[]) {
    return buildConnector({
      lookup: (_host, _options, found) => found(null, [...addresses]),
      autoSelectFamily: true,
      timeout: TIMEOUT_MS,
      allowH2: false,
      maxCachedSessions: 0,
      rejectUnauthorized: true,
      ...(this.options.certificates && { ca: [...this.options.certificates] }),
    });
  }
}

/** What is not an answer says nothing about the client, except that an answer is too large. */
function asDocumentError(error: unknown): ClientDocumentError {
  if (error instanceof ClientDocumentError) return error;
  const transient = !(error instanceof errors.ResponseExceededMaxSizeError);
  const message = `could not be fetched: ${String(error)}`;
  return new ClientDocumentError(message, { cause: error, transient });
}

async function get(client: Client, url: URL, signal: AbortSignal): Promise<FetchedJson> {
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
  if (statusCode !== 200) {
    const transient = statusCode === 429 || statusCode >= 500;
    throw new ClientDocumentError(`was answered with status ${statusCode}`, { transient });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new ClientDocumentError('is compressed, which was not asked for');
  if (!JSON_TYPE.test(String(headers['content-type'] ?? ''))) {
    throw new ClientDocumentError('is not JSON by its content type');
  }
  const cacheControl = headers['cache-control'];
  return { text: await body.text(), cacheControl: cacheControl && String(cacheControl) };
}

const ended = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
