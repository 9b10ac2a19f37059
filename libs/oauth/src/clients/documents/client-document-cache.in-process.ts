import { LRUCache } from 'lru-cache';
import { ClientDocumentCache, type KnownDocument, type Refusal } from './client-document-cache.js';

/** Lifetimes go by the clock that documents go by, not by that of the process. */
const BY_CLOCK = { perf: { now: () => Date.now() }, ttlResolution: 0 };

/**
 * Remembers documents in this process, at most `capacity` of them and as many refusals: beyond that
 * what was not asked for the longest time is forgotten. Refusals never push documents out.
 */
export class InProcessClientDocumentCache extends ClientDocumentCache {
  private readonly documents: LRUCache<string, KnownDocument>;
  private readonly refusals: LRUCache<string, Refusal>;

  constructor(capacity = 1_000) {
    super();
    this.documents = new LRUCache({ ...BY_CLOCK, max: capacity });
    this.refusals = new LRUCache({ ...BY_CLOCK, max: capacity });
  }

  override async find(clientId: string) {
    return { document: this.documents.get(clientId), refusal: this.refusals.peek(clientId) };
  }

  override async putDocument(clientId: string, document: KnownDocument, lifetimeMs: number) {
    this.put(clientId, document, Math.max(this.documents.getRemainingTTL(clientId), lifetimeMs));
  }

  override async keep(clientId: string) {
    const document = this.documents.get(clientId);
    if (document) this.put(clientId, document, Infinity);
  }

  override async putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number) {
    this.refusals.set(clientId, refusal, { ttl: lifetimeMs });
  }

  private put(clientId: string, document: KnownDocument, lifetimeMs: number) {
    const ttl = Math.min(lifetimeMs, document.lastGoodUntil - Date.now());
    if (ttl > 0) this.documents.set(clientId, document, { ttl });
  }
}
