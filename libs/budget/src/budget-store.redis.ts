import type { Redis, Result } from 'ioredis';
import { ReadBatch } from '#libs/platform';
import { budgetDay, DAY_MS, endOfDay } from './budget.js';
import { BudgetStore, type DayBalance } from './budget-store.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    budgetReserve(
      key: string,
      nextKey: string,
      amount: number,
      limit: number,
      expiresAtSeconds: number,
      nextExpiresAtSeconds: number,
    ): Result<0 | 1 | 2, Context>;
    budgetGiveBack(key: string, amount: number): Result<number, Context>;
    budgetReset(key: string, nextKey: string): Result<number, Context>;
  }
}

// Returns which of the two days was charged (1 or 2), or 0.
const RESERVE = `
  local charged = redis.call('EXISTS', KEYS[2]) == 1 and 2 or 1
  local used = tonumber(redis.call('GET', KEYS[charged]) or '0')
  if used + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return 0 end
  redis.call('INCRBY', KEYS[charged], ARGV[1])
  redis.call('EXPIREAT', KEYS[charged], ARGV[2 + charged])
  return charged`;

const GIVE_BACK = `
  local used = tonumber(redis.call('GET', KEYS[1]) or '0')
  local back = math.min(used, tonumber(ARGV[1]))
  if back > 0 then redis.call('DECRBY', KEYS[1], back) end
  return back`;

// Sets the counters to 0 but keeps their keys, so that a later day that was charged is still known.
const RESET = `
  for _, key in ipairs(KEYS) do
    local used = tonumber(redis.call('GET', key) or '0')
    if used > 0 then redis.call('DECRBY', key, used) end
  end
  return #KEYS`;

/**
 * A counter per user and day, kept for a day after its end. Once a user's next day has been charged, later charges
 * go to that day too, so clocks of replicas may differ; a replica whose clock is off by days charges other days
 * only.
 */
export class RedisBudgetStore extends BudgetStore {
  private readonly used = new ReadBatch((keys) => this.readAll(keys));

  constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('budgetReserve', { numberOfKeys: 2, lua: RESERVE });
    redis.defineCommand('budgetGiveBack', { numberOfKeys: 1, lua: GIVE_BACK });
    redis.defineCommand('budgetReset', { numberOfKeys: 2, lua: RESET });
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    const next = dayAfter(day);
    const names = [key(userId, day), key(userId, next)];
    const [used, usedNext] = await Promise.all(names.map((name) => this.used.find(name)));
    if (usedNext !== undefined) return { day: next, used: usedNext };
    return { day, used: used ?? 0 };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    const days = [day, dayAfter(day)] as const;
    const charged = await this.redis.budgetReserve(
      key(userId, days[0]),
      key(userId, days[1]),
      amount,
      limit,
      expiresAtSeconds(days[0]),
      expiresAtSeconds(days[1]),
    );
    return days[charged - 1];
  }

  /** Deletes all days that can have a key: a key is kept for a day after its end, and clocks differ. */
  override async forget(userId: string) {
    const yesterday = budgetDay(new Date(Date.now() - DAY_MS));
    const today = dayAfter(yesterday);
    const tomorrow = dayAfter(today);
    await this.redis.del([yesterday, today, tomorrow].map((day) => key(userId, day)));
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await this.redis.budgetGiveBack(key(userId, day), amount);
  }

  override async reset(userId: string, day: string) {
    await this.redis.budgetReset(key(userId, day), key(userId, dayAfter(day)));
  }

  private async readAll(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const values = await this.redis.mget([...keys]);
    return new Map(
      keys.flatMap((name, n) => (values[n] == null ? [] : [[name, Number(values[n])]])),
    );
  }
}

const key = (userId: string, day: string) => `budget:${userId}:${day}`;

const dayAfter = (day: string) => budgetDay(new Date(endOfDay(day)));

const expiresAtSeconds = (day: string) => (Date.parse(endOfDay(day)) + DAY_MS) / 1000;
