import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import {
  ClientDocumentCache,
  type KnownDocument,
  type Remembered,
} from './client-document-cache.js';

/**
 * Remembers documents in Redis for all replicas, each for as long as it is good for anything. What
 * is put is also kept by `fallback`, which answers alone while Redis is out of service.
 */
export class RedisClientDocumentCache extends ClientDocumentCache {
  private readonly logger = new Logger(RedisClientDocumentCache.name);
  private alone = false;

  constructor(
    private readonly redis: Redis,
    private readonly fallback: ClientDocumentCache,
  ) {
    super();
  }

  override async find(clientId: string): Promise<Remembered> {
    const found = await this.attempt(() =>
      this.redis.mget(documentKey(clientId), refusalKey(clientId)),
    );
    if (found === undefined) return this.fallback.find(clientId);
    const [document, refusal] = found;
    return {
      document: document ? (JSON.parse(document) as KnownDocument) : undefined,
      refusal: refusal ?? undefined,
    };
  }

  override async putDocument(clientId: string, document: KnownDocument) {
    await this.fallback.putDocument(clientId, document);
    await this.put(
      documentKey(clientId),
      JSON.stringify(document),
      document.lastGoodUntil - Date.now(),
    );
  }

  override async putRefusal(clientId: string, reason: string, lifetimeMs: number) {
    await this.fallback.putRefusal(clientId, reason, lifetimeMs);
    await this.put(refusalKey(clientId), reason, lifetimeMs);
  }

  private async put(key: string, value: string, lifetimeMs: number) {
    if (lifetimeMs <= 0) return;
    await this.attempt(() => this.redis.set(key, value, 'PX', Math.ceil(lifetimeMs)));
  }

  /** Undefined when Redis did not answer; said once per outage. */
  private async attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await command();
      this.alone = false;
      return answer;
    } catch (error) {
      if (!this.alone)
        this.logger.warn(`client documents are this replica's own: ${String(error)}`);
      this.alone = true;
      return undefined;
    }
  }
}

const documentKey = (clientId: string) => `oauth:client-document:${clientId}`;
const refusalKey = (clientId: string) => `oauth:client-document-refusal:${clientId}`;
