import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';
import { hostAndPort } from '../client-id-url.js';
import { ClientDocumentError } from './client-document.error.js';
import { FetchSlots } from './fetch-slots.js';
import { isSpecialUseAddress } from './special-use-address.js';

export const MAX_DOCUMENT_BYTES = 5 * 1024;
const MAX_KEY_SET_BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;
const AT_ONCE = 8;
const MAX_WAITING = 100;
const JSON_TYPE = /^[a-z0-9!#$&^_.+-]+\/(?:json|[a-z0-9!#$&^_.-]+\+json)\s*(?:;|$)/i;

export interface Address {
  readonly address: string;
  readonly family: number;
}

export interface DocumentFetchOptions {
  /** `host:port` that may resolve to private or loopback addresses, and may be on any port. */
  readonly privateHosts: readonly string[];
  /** All addresses of a name; the system's resolver unless a test says otherwise. */
  readonly lookup?: (hostname: string) => Promise<readonly Address[]>;
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
 * all, at most 8 at once. Whatever goes wrong is a ClientDocumentError.
 */
export class DocumentFetch {
  private readonly slots = new FetchSlots(AT_ONCE, MAX_WAITING);

  constructor(private readonly options: DocumentFetchOptions) {}

  /** The text of a JSON answer with status 200. */
  async getJson(address: string, maxBytes = MAX_DOCUMENT_BYTES): Promise<FetchedJson> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = this.checkedUrl(address);
    const release = await this.slots.take(signal);
    const fetching = this.resolveAndGet(url, maxBytes, signal).finally(release);
    try {
      return await Promise.race([fetching, ended(signal)]);
    } catch (error) {
      if (signal.aborted) throw new ClientDocumentError(`took longer than ${TIMEOUT_MS} ms`);
      if (error instanceof ClientDocumentError) throw error;
      throw new ClientDocumentError(`could not be fetched: ${String(error)}`, { cause: error });
    }
  }

  /** For the key sets of clients (`jwks_uri`): as much of the standard `fetch` as that takes. */
  readonly fetch = async (address: string | URL, init: { method?: string } = {}) => {
    if ((init.method ?? 'GET') !== 'GET') throw new ClientDocumentError('only GET is possible');
    const { text, cacheControl } = await this.getJson(String(address), MAX_KEY_SET_BYTES);
    const headers = { 'content-type': 'application/json' };
    return new Response(text, {
      headers: cacheControl ? { ...headers, 'cache-control': cacheControl } : headers,
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

  private async resolveAndGet(url: URL, maxBytes: number, signal: AbortSignal) {
    const addresses = await this.resolve(url);
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
  private async resolve(url: URL): Promise<readonly Address[]> {
    const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
    const family = isIP(host);
    const lookup = this.options.lookup ?? resolveAll;
    const addresses = family === 0 ? await lookup(host) : [{ address: host, family }];
    if (addresses.length === 0) throw new ClientDocumentError(`${host} has no address`);
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

const resolveAll = (hostname: string) => systemLookup(hostname, { all: true });

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
  if (statusCode !== 200) throw new ClientDocumentError(`was answered with status ${statusCode}`);
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
