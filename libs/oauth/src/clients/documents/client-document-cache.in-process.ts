import { ClientDocumentCache, type KnownDocument, type Refusal } from './client-document-cache.js';

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/**
 * Remembers documents in this process, at most `capacity` of them and as many refusals: beyond that
 * what was not asked for the longest time is forgotten. Refusals never push documents out.
 */
export class InProcessClientDocumentCache extends ClientDocumentCache {
  private readonly documents = new Map<string, Entry<KnownDocument>>();
  private readonly refusals = new Map<string, Entry<Refusal>>();

  constructor(private readonly capacity = 1_000) {
    super();
  }

  override async find(clientId: string) {
    const document = this.documents.get(clientId);
    if (document) this.put(this.documents, clientId, document);
    return { document: valueOf(document), refusal: valueOf(this.refusals.get(clientId)) };
  }

  override async putDocument(clientId: string, document: KnownDocument, lifetimeMs: number) {
    const before = this.documents.get(clientId)?.until ?? 0;
    const until = Math.max(before, Date.now() + lifetimeMs);
    this.put(this.documents, clientId, {
      value: document,
      until: Math.min(until, document.lastGoodUntil),
    });
  }

  override async keep(clientId: string) {
    const document = valueOf(this.documents.get(clientId));
    if (!document) return;
    this.put(this.documents, clientId, { value: document, until: document.lastGoodUntil });
  }

  override async putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number) {
    this.put(this.refusals, clientId, { value: refusal, until: Date.now() + lifetimeMs });
  }

  private put<T>(entries: Map<string, T>, clientId: string, entry: T) {
    entries.delete(clientId);
    entries.set(clientId, entry);
    const [oldest] = entries.keys();
    if (entries.size > this.capacity && oldest !== undefined) entries.delete(oldest);
  }
}

const valueOf = <T>(entry: Entry<T> | undefined) =>
  entry && entry.until > Date.now() ? entry.value : undefined;
