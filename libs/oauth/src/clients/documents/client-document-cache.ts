import type { KnownClient } from '../client-metadata.js';

/** A metadata document that was fetched and accepted. Times are epoch milliseconds. */
export interface KnownDocument {
  readonly client: KnownClient;
  /** Until then nobody has to ask for it again. */
  readonly freshUntil: number;
  /** Until then it serves those who are connected already, should it be out of reach. */
  readonly lastGoodUntil: number;
}

export interface Remembered {
  readonly document?: KnownDocument | undefined;
  /** Why the document was refused a moment ago. */
  readonly refusal?: string | undefined;
}

/**
 * What is known of metadata documents, for all replicas. Only a cache: it may forget anything at any
 * time, and what concurrent calls put, the last one wins. While its store is out of service it knows
 * what this process put, so no method rejects on that account.
 */
export abstract class ClientDocumentCache {
  /** The document until its `lastGoodUntil`, and the refusal until its end, whichever are known. */
  abstract find(clientId: string): Promise<Remembered>;

  /** Remembers a document; a refusal stays beside it until its end. */
  abstract putDocument(clientId: string, document: KnownDocument): Promise<void>;

  /** Remembers that a document was refused; the last good one stays beside it. */
  abstract putRefusal(clientId: string, reason: string, lifetimeMs: number): Promise<void>;
}
