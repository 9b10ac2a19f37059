import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { OutageLog } from '#libs/database';
import {
  ClientDocumentCache,
  type KnownDocument,
  type Refusal,
  type Remembered,
} from './client-document-cache.js';

/** Sets a value for so many milliseconds, but never shortens what is left, up to the third argument. */
const SET_NO_SHORTER = `
  local lifetime = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[2]))
  return redis.call('SET', KEYS[1], ARGV[1], 'PX', math.min(lifetime, tonumber(ARGV[3])))`;

/**
 * Remembers documents in Redis for all replicas, each for as long as it is good for anything. What
 * is put is also kept by `fallback`, which answers alone while Redis is out of service.
 */
export class RedisClientDocumentCache extends ClientDocumentCache {
  private readonly outages = new OutageLog(new Logger(RedisClientDocumentCache.name));

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
      refusal: refusal ? (JSON.parse(refusal) as Refusal) : undefined,
    };
  }

  override async putDocument(clientId: string, document: KnownDocument, lifetimeMs: number) {
    await this.fallback.putDocument(clientId, document, lifetimeMs);
    const mostMs = Math.ceil(document.lastGoodUntil - Date.now());
    if (mostMs <= 0 || lifetimeMs <= 0) return;
    const key = documentKey(clientId);
    const value = JSON.stringify(document);
    await this.attempt(() =>
      this.redis.eval(SET_NO_SHORTER, 1, key, value, Math.ceil(lifetimeMs), mostMs),
    );
  }

  override async keep(clientId: string) {
    await this.fallback.keep(clientId);
    const key = documentKey(clientId);
    const document = await this.attempt(() => this.redis.get(key));
    if (!document) return;
    const { lastGoodUntil } = JSON.parse(document) as KnownDocument;
    await this.attempt(() => this.redis.pexpire(key, Math.ceil(lastGoodUntil - Date.now())));
  }

  override async putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number) {
    await this.fallback.putRefusal(clientId, refusal, lifetimeMs);
    const value = JSON.stringify(refusal);
    await this.attempt(() =>
      this.redis.set(refusalKey(clientId), value, 'PX', Math.ceil(lifetimeMs)),
    );
  }

  /** Undefined when Redis did not answer; said once per outage. */
  private async attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await command();
      this.outages.end();
      return answer;
    } catch (error) {
      this.outages.begin(`client documents are this replica's own: ${String(error)}`);
      return undefined;
    }
  }
}

const documentKey = (clientId: string) => `oauth:client-document:${clientId}`;
const refusalKey = (clientId: string) => `oauth:client-document-refusal:${clientId}`;
