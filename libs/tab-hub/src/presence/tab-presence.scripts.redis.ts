import type { Redis, Result } from 'ioredis';

/** When each replica last renewed its lease, in Redis' milliseconds. */
export const REPLICAS = 'tabs:replicas';

/** The tabs of an account: `replica:tab` to JSON. */
export const tabsOf = (userId: string) => `tabs:of:${userId}`;

/**
 * What scripts read of an account: the replicas, its tabs, what their pages offer, and the shared names of those
 * tools with which have the suffix. The last three are `replica:tab` to JSON.
 */
export const keysOf = (userId: string): Keys => [
  REPLICAS,
  tabsOf(userId),
  `tabs:tools:${userId}`,
  `tabs:names:${userId}`,
];

/** The accounts that a replica has tabs of. */
export const accountsAt = (replicaId: string) => `tabs:at:${replicaId}`;

/** What the fields of all tabs of a replica begin with. */
export const ownedBy = (replicaId: string) => `${replicaId}:`;

export const fieldOf = (replicaId: string, tabId: string) => `${ownedBy(replicaId)}${tabId}`;

type Keys = [replicas: string, tabs: string, tools: string, names: string];
type Caller = [deadMs: number, replicaId: string, isKnown: 0 | 1];
type NewTab = [userId: string, field: string, tab: string, limit: number];
type Offer = [field: string, tab: string, tools: string, names: string, maxFormer: number];
type OldTab = [field: string, owner: string, userId: string];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** All tabs once it was added; 0: the account is full, null: the replica has lost its lease. */
    tabsAdd(
      ...args: [...Keys, accounts: string, ...Caller, ...NewTab]
    ): Result<string[] | 0 | null, Context>;
    tabsUpdate(tabs: string, field: string, tab: string): Result<0 | 1, Context>;
    /** Replaces the tab, its tools (empty text: it has none) and their names. */
    tabsOffer(...args: [...Keys, deadMs: number, ...Offer]): Result<0 | 1, Context>;
    tabsRemove(...args: [...Keys, accounts: string, ...OldTab]): Result<0 | 1, Context>;
    /** Removes all fields that begin with `owner`. */
    tabsClear(...args: [...Keys, owner: string]): Result<number, Context>;
    tabsList(replicas: string, tabs: string, deadMs: number): Result<string[], Context>;
    /** Each tab, or the one of that id, followed by its tools and their names; empty text: it has none. */
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
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  return 1`;

/** As InProcessTabPresence settles it. A replica of an earlier version writes no names, and may leave those of closed tabs. */
const SETTLE_NAMES = `
  local field = ARGV[2]
  local own = cjson.decode(ARGV[5])
  local before = redis.call('HGET', KEYS[4], field)
  own.suffixed = before and cjson.decode(before).suffixed or {}

  local others = {}
  for _, other in ipairs(redis.call('HKEYS', KEYS[2])) do
    local names = other ~= field and isAlive(ownerOf(other)) and redis.call('HGET', KEYS[4], other)
    if names then others[other] = cjson.decode(names) end
  end

  local changed = { [field] = own }
  for name, content in pairs(own.contents) do
    local isShared, isSettled, isYoungest, rivals = false, false, false, {}
    for other, names in pairs(others) do
      local theirs = names.contents[name]
      if theirs and names.suffixed[name] then isSettled = true
      elseif theirs == content then isShared = true
      elseif theirs then
        rivals[#rivals + 1] = other
        if names.since < own.since then isYoungest = true end
      end
    end
    if isShared then own.suffixed[name] = nil
    elseif own.suffixed[name] == nil and #rivals > 0 then
      if isSettled or isYoungest then own.suffixed[name] = 1
      else
        for _, other in ipairs(rivals) do
          others[other].suffixed[name] = 1
          changed[other] = others[other]
        end
      end
    end
  end

  local former = 0
  for name in pairs(own.suffixed) do
    if own.contents[name] == nil then
      former = former + 1
      if former > tonumber(ARGV[6]) then own.suffixed[name] = nil end
    end
  end
  for other, names in pairs(changed) do
    if next(names.contents) or next(names.suffixed) then
      redis.call('HSET', KEYS[4], other, cjson.encode(names))
    else
      redis.call('HDEL', KEYS[4], other)
    end
  end`;

const OFFER = `${LIVENESS}
  if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then return 0 end
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
  if ARGV[4] == '' then
    redis.call('HDEL', KEYS[3], ARGV[2])
  else
    redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
  end
  ${SETTLE_NAMES}
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
  local removed = 0
  for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
    if string.sub(field, 1, #ARGV[1]) == ARGV[1] then
      redis.call('HDEL', KEYS[3], field)
      redis.call('HDEL', KEYS[4], field)
      removed = removed + redis.call('HDEL', KEYS[2], field)
    end
  end
  return removed`;

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

/** Makes the scripts of the presence commands of `redis`. */
export function defineTabCommands(redis: Redis): void {
  redis.defineCommand('tabsAdd', { numberOfKeys: 5, lua: ADD });
  redis.defineCommand('tabsUpdate', { numberOfKeys: 1, lua: UPDATE });
  redis.defineCommand('tabsOffer', { numberOfKeys: 4, lua: OFFER });
  redis.defineCommand('tabsTools', { numberOfKeys: 4, lua: TOOLS });
  redis.defineCommand('tabsRemove', { numberOfKeys: 5, lua: REMOVE });
  redis.defineCommand('tabsClear', { numberOfKeys: 4, lua: CLEAR });
  redis.defineCommand('tabsList', { numberOfKeys: 2, lua: LIST });
  redis.defineCommand('tabsHeartbeat', { numberOfKeys: 1, lua: HEARTBEAT });
}
