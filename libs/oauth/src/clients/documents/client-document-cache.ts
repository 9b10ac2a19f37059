import type { KnownClient } from '../client-metadata.js';

/** A metadata document that was fetched and accepted. Times are epoch milliseconds. */
export interface KnownDocument {
  readonly client: KnownClient;
  /** Until then the document is used without fetching it again. */
  readonly freshUntil: number;
  /** Until then the document still serves connected clients when it cannot be fetched. */
  readonly lastGoodUntil: number;
}

/** Why a recent fetch of a document failed; `transient` is that of ClientDocumentError. */
export interface Refusal {
  readonly reason: string;
  readonly transient: boolean;
}

export interface Remembered {
  readonly document?: KnownDocument | undefined;
  readonly refusal?: Refusal | undefined;
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
  abstract putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number): Promise<void>;
}
