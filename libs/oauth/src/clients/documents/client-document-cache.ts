import type { KnownClient } from '../client-metadata.js';

/** A metadata document that was fetched and accepted. Times are epoch milliseconds. */
export interface KnownDocument {
  readonly client: KnownClient;
  /** Until then nobody has to ask for it again. */
  readonly freshUntil: number;
  /** Until then it serves those who are connected already, should it be out of reach. */
  readonly lastGoodUntil: number;
}

/** Why a document could not be had a moment ago; `transient` as ClientDocumentError has it. */
export interface Refusal {
  readonly reason: string;
  readonly transient: boolean;
}

export interface Remembered {
  readonly document?: KnownDocument | undefined;
  readonly refusal?: Refusal | undefined;
}

/**
 * What is known of metadata documents, for all replicas. Strangers name them, so the room that they take
 * is bounded: documents on trial, those that are kept, and refusals each have theirs, and beyond it what
 * was least recently asked for is forgotten; none of the three pushes out another. Each step is atomic.
 *
 * Only a cache: it may forget anything at any time, and what concurrent calls put, the last one wins.
 * While its store is out of service it knows what this process put, so no method rejects on that account.
 */
export abstract class ClientDocumentCache {
  static readonly portOf = 'oauth';

  /** The document and the refusal, each until its end, whichever are known. */
  abstract find(clientId: string): Promise<Remembered>;

  /**
   * Remembers a document on trial for so long; one of a client that is kept until its `lastGoodUntil`,
   * which is the end of both. A refusal stays beside it until its end.
   */
  abstract putDocument(
    clientId: string,
    document: KnownDocument,
    lifetimeMs: number,
  ): Promise<void>;

  /** Keeps the document that is known, if any, and those put later, until their `lastGoodUntil`. */
  abstract keep(clientId: string): Promise<void>;

  /** Remembers that a document was refused; the last good one stays beside it. */
  abstract putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number): Promise<void>;
}
