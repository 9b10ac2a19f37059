import { isJsonObject, type JsonObject, parseJson } from '#libs/platform/json';
import type { KnownClient } from '../client/client.js';
import { publicKey } from '../client/client-authentication.js';
import { ClientMetadataError } from '../client/metadata-fields.js';

/** A metadata document that was fetched and accepted. Times are epoch milliseconds. */
export interface KnownDocument {
  readonly client: KnownClient;
  readonly freshUntil: number;
  /** Until then the document still serves connected clients when it cannot be fetched. */
  readonly lastGoodUntil: number;
}

/** Why a recent fetch of a document failed; `transient` is that of ClientDocumentError. */
export interface RefusedDocument {
  readonly reason: string;
  readonly transient: boolean;
}

/** A document that could not be fetched or accepted. The message is for the log, not for users. */
export class ClientDocumentError extends Error {
  override name = 'ClientDocumentError';
  /** Whether the failure says nothing about the client: overload, timeout, unreachable host, status 429 or 5xx. */
  readonly transient: boolean;

  constructor(
    message: string,
    { transient = false, ...options }: ErrorOptions & { readonly transient?: boolean } = {},
  ) {
    super(message, options);
    this.transient = transient;
  }
}

const MAX_FETCHED_KEYS = 100;

/**
 * Those keys of a fetched set that may verify signatures here, of its first 100; it may have others, for encryption for
 * example. Throws ClientDocumentError for what is no set.
 */
export function usableKeys(text: string): readonly JsonObject[] {
  const set = parseJson(text);
  const keys = isJsonObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys)) throw new ClientDocumentError('is not a key set');
  return keys.slice(0, MAX_FETCHED_KEYS).flatMap(usableKey);
}

function usableKey(key: unknown): JsonObject[] {
  try {
    return [publicKey(key)];
  } catch (error) {
    if (error instanceof ClientMetadataError) return [];
    throw error;
  }
}

const LEAST_FRESH_MS = 60 * 1000;
const MOST_FRESH_MS = 24 * 60 * 60 * 1000;

/** How long a response may be served without revalidation (RFC 9111 §5.2.2): at least 60 seconds, at most 24 hours. */
export function freshForMs(cacheControl: string | undefined): number {
  const directives = parse(cacheControl ?? '');
  if (['no-store', 'no-cache', 'private'].some((name) => directives.has(name))) {
    return LEAST_FRESH_MS;
  }
  const seconds = directives.get('s-maxage') ?? directives.get('max-age') ?? '';
  if (!/^\d+$/.test(seconds)) return LEAST_FRESH_MS;
  return Math.min(Math.max(Number(seconds) * 1000, LEAST_FRESH_MS), MOST_FRESH_MS);
}

/** Directives by lower-case name; the first of several counts. */
function parse(cacheControl: string) {
  const directives = new Map<string, string>();
  for (const directive of cacheControl.split(',')) {
    const [name = '', value = ''] = directive.split('=', 2).map((part) => part.trim());
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, value.replaceAll('"', ''));
  }
  return directives;
}
