import type { Redis, Result } from 'ioredis';

export const REPLICAS = 'tabs:replicas';

export const tabsOf = (userId: string) => `tabs:of:${userId}`;

/** The replicas; and by `replica:tab`, as JSON, the account's tabs, what their pages offer, and the notes on that. */
export const keysOf = (userId: string): Keys => [
  REPLICAS,
  tabsOf(userId),
  `tabs:tools:${userId}`,
  `tabs:notes:${userId}`,
];

export const accountsAt = (replicaId: string) => `tabs:at:${replicaId}`;

export const ownedBy = (replicaId: string) => `${replicaId}:`;

export const fieldOf = (replicaId: string, tabId: string) => `${ownedBy(replicaId)}${tabId}`;

type Keys = [replicas: string, tabs: string, tools: string, notes: string];
type Caller = [deadMs: number, replicaId: string, isKnown: 0 | 1];
type NewTab = [userId: string, field: string, tab: string, limit: number];
type Offer = [field: string, digest: string, tab: string, tools: string];
type OldTab = [field: string, owner: string, userId: string];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** All tabs once it was added; 0: the account is full, null: the replica has lost its lease. */
    tabsAdd(
      ...args: [...Keys, accounts: string, ...Caller, ...NewTab]
    ): Result<string[] | 0 | null, Context>;
    tabsUpdate(tabs: string, field: string, tab: string): Result<null, Context>;
    /** The digest of all notes, then the field and the note of each open tab that has one. */
    tabsNotes(...args: [...Keys, deadMs: number]): Result<string[], Context>;
    /**
     * Replaces the tab, its tools and the notes of the fields; empty text removes. 0: the notes have another digest.
     */
    tabsOffer(...args: [...Keys, ...Offer, ...fieldsAndNotes: string[]]): Result<0 | 1, Context>;
    tabsRemove(...args: [...Keys, accounts: string, ...OldTab]): Result<0 | 1, Context>;
    tabsClear(...args: [...Keys, owner: string]): Result<null, Context>;
    tabsList(replicas: string, tabs: string, deadMs: number): Result<string[], Context>;
    /** Each tab, or the one of that id, followed by its tools and its note; empty text: it has none. */
    tabsTools(...args: [...Keys, deadMs: number, tabId?: string]): Result<string[], Context>;
    /** Some of the dead replicas; null: the caller has lost its lease. */
    tabsHeartbeat(replicas: string, ...caller: Caller): Result<string[] | null, Context>;
  }
}

/** Redis' own clock, so that replicas' clocks do not matter. Of each replica a script asks once. */
const LIVENESS = `
  local deadMs = tonumber(ARGV[1])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)

  local alive = {}
  local function isAlive(replica)
    if alive[replica] == nil then
      local renewedAt = redis.call('ZSCORE', KEYS[1], replica)
      alive[replica] = renewedAt and now - tonumber(renewedAt) <= deadMs
    end
    return alive[replica]
  end

  local function ownerOf(field)
    return string.match(field, '^[^:]+')
  end`;

/** A replica that is missing gets a lease, but not twice: one that was known has been given up meanwhile. */
const LEASE = `
  local function hasLease(replica, isKnown)
    if redis.call('ZSCORE', KEYS[1], replica) then return isAlive(replica) end
    if isKnown == '1' then return false end
    redis.call('ZADD', KEYS[1], now, replica)
    return true
  end`;

const OPEN_TABS = `
  local function openTabs()
    local tabs = {}
    local entries = redis.call('HGETALL', KEYS[2])
    for i = 1, #entries, 2 do
      if isAlive(ownerOf(entries[i])) then tabs[#tabs + 1] = entries[i + 1] end
    end
    return tabs
  end`;

/** Tools that are left of no tab: a replica of an earlier version has cleaned up. */
const ADD = `${LIVENESS}${LEASE}${OPEN_TABS}
  if not hasLease(ARGV[2], ARGV[3]) then return false end
  local tabs = openTabs()
  if #tabs >= tonumber(ARGV[7]) then return 0 end
  if #tabs == 0 and redis.call('EXISTS', KEYS[2]) == 0 then redis.call('DEL', KEYS[3], KEYS[4]) end
  redis.call('HSET', KEYS[2], ARGV[5], ARGV[6])
  redis.call('SADD', KEYS[5], ARGV[4])
  tabs[#tabs + 1] = ARGV[6]
  return tabs`;

const UPDATE = `
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  end`;

const DIGEST = `
  local function digest()
    return redis.sha1hex(table.concat(redis.call('HGETALL', KEYS[4]), ' '))
  end`;

const NOTES = `${LIVENESS}${DIGEST}
  local found = { digest() }
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    local note = isAlive(ownerOf(field)) and redis.call('HGET', KEYS[4], field)
    if note then
      found[#found + 1] = field
      found[#found + 1] = note
    end
  end
  return found`;

const OFFER = `${DIGEST}
  local function put(key, field, text)
    if text == '' then redis.call('HDEL', key, field) else redis.call('HSET', key, field, text) end
  end

  if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return 1 end
  if digest() ~= ARGV[2] then return 0 end
  put(KEYS[2], ARGV[1], ARGV[3])
  put(KEYS[3], ARGV[1], ARGV[4])
  for i = 5, #ARGV, 2 do put(KEYS[4], ARGV[i], ARGV[i + 1]) end
  return 1`;

const REMOVE = `
  redis.call('HDEL', KEYS[3], ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
  local removed = redis.call('HDEL', KEYS[2], ARGV[1])
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    if string.sub(field, 1, #ARGV[2]) == ARGV[2] then return removed end
  end
  redis.call('SREM', KEYS[5], ARGV[3])
  return removed`;

const CLEAR = `
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    if string.sub(field, 1, #ARGV[1]) == ARGV[1] then
      for n = 2, 4 do redis.call('HDEL', KEYS[n], field) end
    end
  end`;

const LIST = `${LIVENESS}${OPEN_TABS}
  return openTabs()`;

const TOOLS = `${LIVENESS}
  local function isAsked(field)
    return ARGV[2] == nil or string.sub(field, #ownerOf(field) + 2) == ARGV[2]
  end

  local found = {}
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    if isAsked(field) and isAlive(ownerOf(field)) then
      found[#found + 1] = redis.call('HGET', KEYS[2], field)
      found[#found + 1] = redis.call('HGET', KEYS[3], field) or ''
      found[#found + 1] = redis.call('HGET', KEYS[4], field) or ''
    end
  end
  return found`;

/** Renewals in the future, from before a clock was set back, become those of now: otherwise such replicas would not die. */
const HEARTBEAT = `${LIVENESS}${LEASE}
  if not hasLease(ARGV[2], ARGV[3]) then return false end
  redis.call('ZADD', KEYS[1], now, ARGV[2])
  for _, early in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
    redis.call('ZADD', KEYS[1], now, early)
  end
  return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. now - deadMs, 'LIMIT', 0, 16)`;

export function defineTabCommands(redis: Redis): void {
  redis.defineCommand('tabsAdd', { numberOfKeys: 5, lua: ADD });
  redis.defineCommand('tabsUpdate', { numberOfKeys: 1, lua: UPDATE });
  redis.defineCommand('tabsNotes', { numberOfKeys: 4, lua: NOTES });
  redis.defineCommand('tabsOffer', { numberOfKeys: 4, lua: OFFER });
  redis.defineCommand('tabsTools', { numberOfKeys: 4, lua: TOOLS });
  redis.defineCommand('tabsRemove', { numberOfKeys: 5, lua: REMOVE });
  redis.defineCommand('tabsClear', { numberOfKeys: 4, lua: CLEAR });
  redis.defineCommand('tabsList', { numberOfKeys: 2, lua: LIST });
  redis.defineCommand('tabsHeartbeat', { numberOfKeys: 1, lua: HEARTBEAT });
}
