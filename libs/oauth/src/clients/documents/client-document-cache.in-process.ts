import { LRUCache } from 'lru-cache';
import { ClientDocumentCache, type KnownDocument, type Refusal } from './client-document-cache.js';
import { DOCUMENT_ROOM, entryBytes } from './document-room.js';

/** JSON by client id. Lifetimes use `Date.now()`, as documents do, and not the process's monotonic clock. */
const room = (maxSize: number) =>
  new LRUCache<string, string>({
    maxSize,
    sizeCalculation: entryBytes,
    perf: { now: () => Date.now() },
    ttlResolution: 0,
  });

/** Remembers documents in this process. */
export class InProcessClientDocumentCache extends ClientDocumentCache {
  private readonly trial = room(DOCUMENT_ROOM.trial);
  private readonly kept = room(DOCUMENT_ROOM.kept);
  private readonly refusals = room(DOCUMENT_ROOM.refusals);

  override async find(clientId: string) {
    return {
      document: parsed<KnownDocument>(this.kept.get(clientId) ?? this.trial.get(clientId)),
      refusal: parsed<Refusal>(this.refusals.get(clientId)),
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

  override async putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number) {
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
