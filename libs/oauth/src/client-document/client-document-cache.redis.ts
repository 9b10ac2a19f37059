import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { OutageLog } from '#libs/platform';
import type { KnownDocument, RefusedDocument } from './client-document.js';
import {
  ClientDocumentCache,
  DOCUMENT_ROOM,
  ENTRY_BYTES,
  type Remembered,
} from './client-document-cache.js';

/**
 * A room is a hash of texts by client id, with the bytes (`#bytes`) and uses (`#uses`) of all, and a sorted set of ids
 * by last use; both expire with their last entry. A text begins with its expiry time; on trial its expiry as a kept
 * document follows. ARGV: the time in epoch milliseconds, the client id, and those of each script.
 */
const ROOMS = `
local now, id = tonumber(ARGV[1]), ARGV[2]

local function room(n, most)
  return { texts = KEYS[2 * n - 1], used = KEYS[2 * n], most = most }
end
local trial = room(1, ${DOCUMENT_ROOM.trial})
local kept = room(2, ${DOCUMENT_ROOM.kept})
local refusals = room(3, ${DOCUMENT_ROOM.refusals})

local function sizeOf(client, text) return #text + 2 * #client + ${ENTRY_BYTES} end

local function drop(from, client)
  local text = redis.call('HGET', from.texts, client)
  redis.call('ZREM', from.used, client)
  if not text then return end
  redis.call('HDEL', from.texts, client)
  redis.call('HINCRBY', from.texts, '#bytes', -sizeOf(client, text))
end

local function use(from)
  redis.call('ZADD', from.used, redis.call('HINCRBY', from.texts, '#uses', 1), id)
end

local function put(into, text, ends)
  drop(into, id)
  if ends <= now then return end
  redis.call('HSET', into.texts, id, text)
  use(into)
  local bytes = redis.call('HINCRBY', into.texts, '#bytes', sizeOf(id, text))
  while bytes > into.most do
    local oldest = redis.call('ZRANGE', into.used, 0, 0)[1]
    if not oldest then break end
    drop(into, oldest)
    bytes = tonumber(redis.call('HGET', into.texts, '#bytes'))
  end
  local lasts = math.max(redis.call('PTTL', into.texts), ends - now)
  redis.call('PEXPIRE', into.texts, lasts)
  redis.call('PEXPIRE', into.used, lasts)
end

local function get(from)
  local text = redis.call('HGET', from.texts, id)
  if not text then return false end
  if tonumber(string.match(text, '^%d+')) <= now then
    drop(from, id)
    return false
  end
  use(from)
  return text
end

local function json(text) return text and string.match(text, '[^{]*(.*)$') end
`;

const KEYS = ['trial', 'kept', 'refusals'].flatMap((room) => [
  `oauth:client-documents:${room}`,
  `oauth:client-documents:${room}:used`,
]);

const SCRIPTS = {
  /** Returns the JSON of the document and of the refusal, each null when unknown. */
  findClientDocument: `${ROOMS}
return { json(get(kept) or get(trial)) or false, json(get(refusals)) or false }`,

  /** ARGV: the JSON, its expiry on trial and its expiry as a kept document. */
  putClientDocument: `${ROOMS}
local text, trialEnds, keptEnds = ARGV[3], ARGV[4], ARGV[5]
if get(kept) then
  put(kept, keptEnds .. ' ' .. text, tonumber(keptEnds))
else
  put(trial, trialEnds .. ' ' .. keptEnds .. ' ' .. text, tonumber(trialEnds))
end`,

  keepClientDocument: `${ROOMS}
local text = get(trial)
if not text then return end
drop(trial, id)
local keptEnds, document = string.match(text, '^%d+ (%d+) (.*)$')
put(kept, keptEnds .. ' ' .. document, tonumber(keptEnds))`,

  /** ARGV: the JSON and its expiry. */
  putClientDocumentRefusal: `${ROOMS}
put(refusals, ARGV[4] .. ' ' .. ARGV[3], tonumber(ARGV[4]))`,
};

type Script = (...keysAndArguments: (string | number)[]) => Promise<unknown>;
type ScriptedRedis = Redis & Record<keyof typeof SCRIPTS, Script>;

/** Remembers documents in Redis, one script per step, and in `fallback`, which answers during an outage. */
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
      refusal: refusal ? (JSON.parse(refusal) as RefusedDocument) : undefined,
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

  override async putRefusal(clientId: string, refusal: RefusedDocument, lifetimeMs: number) {
    await this.fallback.putRefusal(clientId, refusal, lifetimeMs);
    const ends = Math.ceil(Date.now() + lifetimeMs);
    await this.call('putClientDocumentRefusal', clientId, JSON.stringify(refusal), ends);
  }

  /** Undefined when Redis did not answer, which is logged once per outage. */
  private async call(name: keyof typeof SCRIPTS, ...args: (string | number)[]): Promise<unknown> {
    return this.outages.watch(
      async () => this.redis[name](...KEYS, Math.floor(Date.now()), ...args),
      "client documents are this replica's own",
    );
  }
}
