import type { Redis, Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** How many of these accounts it did not listen to before. */
    tabsListen(
      ...args: [count: number, ...keysAndRest: (string | number)[]]
    ): Result<number, Context>;
    /** Of each message, how many listeners it was sent to. */
    tabsPublish(...args: [count: number, ...keysAndRest: string[]]): Result<number[], Context>;
  }
}

const LISTEN = `
  local added = 0
  for _, listeners in ipairs(KEYS) do
    added = added + redis.call('SADD', listeners, ARGV[1])
    redis.call('PEXPIRE', listeners, ARGV[2])
  end
  return added`;

/** Each listener gets its messages in one piece, in order. A listener whose channel has no subscriber is gone. */
const PUBLISH = `
  local sender, prefix = ARGV[1], ARGV[2]
  local listenersOf, batches, counts = {}, {}, {}
  for n, key in ipairs(KEYS) do
    listenersOf[key] = listenersOf[key] or redis.call('SMEMBERS', key)
    counts[n] = 0
    for _, listener in ipairs(listenersOf[key]) do
      if listener ~= sender then
        batches[listener] = batches[listener] or {}
        table.insert(batches[listener], n)
      end
    end
  end
  for listener, messages in pairs(batches) do
    local texts = {}
    for i, n in ipairs(messages) do texts[i] = ARGV[n + 2] end
    local heard = redis.call('PUBLISH', prefix .. listener, '[' .. table.concat(texts, ',') .. ']')
    for _, n in ipairs(messages) do
      if heard > 0 then counts[n] = counts[n] + 1 else redis.call('SREM', KEYS[n], listener) end
    end
  end
  return counts`;

/** Makes the scripts of the commands about listeners of `redis`. */
export function defineListenerCommands(redis: Redis): void {
  redis.defineCommand('tabsListen', { lua: LISTEN });
  redis.defineCommand('tabsPublish', { lua: PUBLISH });
}
