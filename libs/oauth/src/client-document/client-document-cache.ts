import { LRUCache } from 'lru-cache';
import type { KnownDocument, RefusedDocument } from './client-document.js';

export interface Remembered {
  readonly document?: KnownDocument | undefined;
  readonly refusal?: RefusedDocument | undefined;
}

/**
 * Caches metadata documents for all replicas. Unauthenticated callers choose the URLs, so the space is
 * bounded: documents on trial, kept documents and refusals each have a room of their own with LRU
 * eviction, and none of the three evicts entries of another. Each step is atomic.
 *
 * Only a cache: it may forget anything at any time, and of concurrent puts the last one wins. While its
 * store is unavailable it uses what this process put, so no method rejects because of an outage.
 */
export abstract class ClientDocumentCache {
  static readonly portOf = 'oauth';

  /** The document and the refusal, each if known and not expired. */
  abstract find(clientId: string): Promise<Remembered>;

  /**
   * Remembers a document on trial for `lifetimeMs`, or until its `lastGoodUntil` when the client's document
   * is kept; neither outlasts `lastGoodUntil`. A refusal stays beside it until it expires.
   */
  abstract putDocument(
    clientId: string,
    document: KnownDocument,
    lifetimeMs: number,
  ): Promise<void>;

  /** Keeps the known document, if any, and later ones of the client, until their `lastGoodUntil`. */
  abstract keep(clientId: string): Promise<void>;

  /** Remembers a refusal; the last good document stays beside it. */
  abstract putRefusal(
    clientId: string,
    refusal: RefusedDocument,
    lifetimeMs: number,
  ): Promise<void>;
}

const MIB = 1024 * 1024;

export const DOCUMENT_ROOM = { trial: 4 * MIB, kept: 16 * MIB, refusals: MIB } as const;

/** The overhead of an entry beside its text and its identifier, which is stored twice. */
export const ENTRY_BYTES = 256;

const entryBytes = (text: string, id: string) =>
  Buffer.byteLength(text) + 2 * Buffer.byteLength(id) + ENTRY_BYTES;

/** JSON by client id. Lifetimes use `Date.now()`, as documents do, and not the process's monotonic clock. */
const room = (maxSize: number) =>
  new LRUCache<string, string>({
    maxSize,
    sizeCalculation: entryBytes,
    perf: { now: () => Date.now() },
    ttlResolution: 0,
  });

export class InProcessClientDocumentCache extends ClientDocumentCache {
  private readonly trial = room(DOCUMENT_ROOM.trial);
  private readonly kept = room(DOCUMENT_ROOM.kept);
  private readonly refusals = room(DOCUMENT_ROOM.refusals);

  override async find(clientId: string) {
    return {
      document: parsed<KnownDocument>(this.kept.get(clientId) ?? this.trial.get(clientId)),
      refusal: parsed<RefusedDocument>(this.refusals.get(clientId)),
    };
  }

  override async putDocument(clientId: string, document: KnownDocument, lifetimeMs: number) {
    const text = JSON.stringify(document);
    if (this.kept.has(clientId)) this.putKept(clientId, text);
    else put(this.trial, clientId, text, Math.min(lifetimeMs, lastGoodMs(document)));
  }

  override async keep(clientId: string) {
    const text = this.trial.get(clientId);
    if (text === undefined) return;
    this.trial.delete(clientId);
    this.putKept(clientId, text);
  }

  override async putRefusal(clientId: string, refusal: RefusedDocument, lifetimeMs: number) {
    put(this.refusals, clientId, JSON.stringify(refusal), lifetimeMs);
  }

  private putKept(clientId: string, text: string) {
    put(this.kept, clientId, text, lastGoodMs(JSON.parse(text) as KnownDocument));
  }
}

const parsed = <T>(text: string | undefined) =>
  text === undefined ? undefined : (JSON.parse(text) as T);

const lastGoodMs = ({ lastGoodUntil }: KnownDocument) => lastGoodUntil - Date.now();

function put(entries: LRUCache<string, string>, id: string, text: string, lifetimeMs: number) {
  if (lifetimeMs > 0) entries.set(id, text, { ttl: lifetimeMs });
}
