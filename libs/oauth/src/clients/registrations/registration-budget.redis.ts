import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { OutageLog } from '#libs/database';
import {
  REGISTRATION_ALLOWANCE,
  type RegistrationAllowance,
  RegistrationBudget,
} from './registration-budget.js';

const SPEND = `
  local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
  if spent + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return math.max(redis.call('PTTL', KEYS[1]), 1) end
  redis.call('INCRBY', KEYS[1], ARGV[1])
  if spent == 0 then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  return 0`;

type SpendingRedis = Redis & {
  spendRegistration(
    key: string,
    bytes: number,
    mostBytes: number,
    periodMs: number,
  ): Promise<number>;
};

/** Counts for all replicas, one script call a registration; by itself while Redis does not answer. */
export class RedisRegistrationBudget extends RegistrationBudget {
  private readonly outages = new OutageLog(new Logger(RedisRegistrationBudget.name));
  private readonly redis: SpendingRedis;

  constructor(
    redis: Redis,
    private readonly fallback: RegistrationBudget,
    private readonly allowance: RegistrationAllowance = REGISTRATION_ALLOWANCE,
  ) {
    super();
    redis.defineCommand('spendRegistration', { numberOfKeys: 1, lua: SPEND });
    this.redis = redis as SpendingRedis;
  }

  override async spend(visitor: string, bytes: number) {
    const { bytes: mostBytes, periodMs } = this.allowance;
    try {
      const key = `oauth:registered-bytes:${visitor}`;
      const waitMs = await this.redis.spendRegistration(key, bytes, mostBytes, periodMs);
      this.outages.end();
      return waitMs;
    } catch (error) {
      this.outages.begin(`counting registered bytes on this replica only: ${String(error)}`);
      return this.fallback.spend(visitor, bytes);
    }
  }
}
