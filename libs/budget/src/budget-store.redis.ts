import type { Redis, Result } from 'ioredis';
import { resetsAt } from './budget-day.js';
import { BudgetStore, type DayBalance } from './budget-store.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    budgetReserve(
      key: string,
      amount: number,
      limit: number,
      expiresAtSeconds: number,
    ): Result<0 | 1, Context>;
    budgetGiveBack(key: string, amount: number): Result<number, Context>;
  }
}

const SECONDS_PER_DAY = 86_400;

const RESERVE = `
  local used = tonumber(redis.call('GET', KEYS[1]) or '0')
  if used + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return 0 end
  redis.call('INCRBY', KEYS[1], ARGV[1])
  redis.call('EXPIREAT', KEYS[1], ARGV[3])
  return 1`;

const GIVE_BACK = `
  local used = tonumber(redis.call('GET', KEYS[1]) or '0')
  local back = math.min(used, tonumber(ARGV[1]))
  if back > 0 then redis.call('DECRBY', KEYS[1], back) end
  return back`;

/** A counter per user and day, kept for a day after its end, so that clocks may differ a little. */
export class RedisBudgetStore extends BudgetStore {
  constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('budgetReserve', { numberOfKeys: 1, lua: RESERVE });
    redis.defineCommand('budgetGiveBack', { numberOfKeys: 1, lua: GIVE_BACK });
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    return { day, used: Number((await this.redis.get(key(userId, day))) ?? 0) };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    const counter = key(userId, day);
    const reserved = await this.redis.budgetReserve(counter, amount, limit, expiresAtSeconds(day));
    return reserved === 1 ? day : undefined;
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await this.redis.budgetGiveBack(key(userId, day), amount);
  }
}

const key = (userId: string, day: string) => `budget:${userId}:${day}`;

const expiresAtSeconds = (day: string) => Date.parse(resetsAt(day)) / 1000 + SECONDS_PER_DAY;
