import { ClientDocumentCache, type KnownDocument } from './client-document-cache.js';

interface Refusal {
  readonly reason: string;
  readonly until: number;
}

/**
 * Remembers documents in this process, at most `capacity` of them and as many refusals: beyond that
 * what was not asked for the longest time is forgotten. Refusals never push documents out.
 */
export class InProcessClientDocumentCache extends ClientDocumentCache {
  private readonly documents = new Map<string, KnownDocument>();
  private readonly refusals = new Map<string, Refusal>();

  constructor(private readonly capacity = 1_000) {
    super();
  }

  override async find(clientId: string) {
    const now = Date.now();
    const document = this.documents.get(clientId);
    const refusal = this.refusals.get(clientId);
    if (document) this.put(this.documents, clientId, document);
    return {
      document: document && document.lastGoodUntil > now ? document : undefined,
      refusal: refusal && refusal.until > now ? refusal.reason : undefined,
    };
  }

  override async putDocument(clientId: string, document: KnownDocument) {
    this.put(this.documents, clientId, document);
  }

  override async putRefusal(clientId: string, reason: string, lifetimeMs: number) {
    this.put(this.refusals, clientId, { reason, until: Date.now() + lifetimeMs });
  }

  private put<T>(entries: Map<string, T>, clientId: string, entry: T) {
    entries.delete(clientId);
    entries.set(clientId, entry);
    const [oldest] = entries.keys();
    if (entries.size > this.capacity && oldest !== undefined) entries.delete(oldest);
  }
}
