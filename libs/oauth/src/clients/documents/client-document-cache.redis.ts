import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { OutageLog } from '#libs/platform';
import {
  ClientDocumentCache,
  type KnownDocument,
  type Refusal,
  type Remembered,
} from './client-document-cache.js';
import { FIND, KEEP, PUT_DOCUMENT, PUT_REFUSAL } from './client-document-scripts.redis.js';

const KEYS = ['trial', 'kept', 'refusals'].flatMap((room) => [
  `oauth:client-documents:${room}`,
  `oauth:client-documents:${room}:used`,
]);

const SCRIPTS = {
  findClientDocument: FIND,
  putClientDocument: PUT_DOCUMENT,
  keepClientDocument: KEEP,
  putClientDocumentRefusal: PUT_REFUSAL,
};

type Script = (...keysAndArguments: (string | number)[]) => Promise<unknown>;
type ScriptedRedis = Redis & Record<keyof typeof SCRIPTS, Script>;

/**
 * Remembers documents in Redis for all replicas, with one script call per step. Also writes everything to
 * `fallback`, which alone answers while Redis is unavailable.
 */
export class RedisClientDocumentCache extends ClientDocumentCache {
  private readonly outages = new OutageLog(new Logger(RedisClientDocumentCache.name));
  private readonly redis: ScriptedRedis;

  constructor(
    redis: Redis,
    private readonly fallback: ClientDocumentCache,
  ) {
    super();
    for (const [name, lua] of Object.entries(SCRIPTS)) {
      redis.defineCommand(name, { numberOfKeys: KEYS.length, lua });
    }
    this.redis = redis as ScriptedRedis;
  }

  override async find(clientId: string): Promise<Remembered> {
    const found = await this.call('findClientDocument', clientId);
    if (found === undefined) return this.fallback.find(clientId);
    const [document, refusal] = found as [string | null, string | null];
    return {
      document: document ? (JSON.parse(document) as KnownDocument) : undefined,
      refusal: refusal ? (JSON.parse(refusal) as Refusal) : undefined,
    };
  }

  override async putDocument(clientId: string, document: KnownDocument, lifetimeMs: number) {
    await this.fallback.putDocument(clientId, document, lifetimeMs);
    const keptEnds = Math.ceil(document.lastGoodUntil);
    const trialEnds = Math.min(Math.ceil(Date.now() + lifetimeMs), keptEnds);
    const text = JSON.stringify(document);
    await this.call('putClientDocument', clientId, text, trialEnds, keptEnds);
  }

  override async keep(clientId: string) {
    await this.fallback.keep(clientId);
    await this.call('keepClientDocument', clientId);
  }

  override async putRefusal(clientId: string, refusal: Refusal, lifetimeMs: number) {
    await this.fallback.putRefusal(clientId, refusal, lifetimeMs);
    const ends = Math.ceil(Date.now() + lifetimeMs);
    await this.call('putClientDocumentRefusal', clientId, JSON.stringify(refusal), ends);
  }

  /** Undefined when Redis did not answer, which is logged once per outage. */
  private async call(name: keyof typeof SCRIPTS, ...args: (string | number)[]): Promise<unknown> {
    try {
      const answer = await this.redis[name](...KEYS, Math.floor(Date.now()), ...args);
      this.outages.end();
      return answer;
    } catch (error) {
      this.outages.begin(`client documents are this replica's own: ${String(error)}`);
      return undefined;
    }
  }
}
