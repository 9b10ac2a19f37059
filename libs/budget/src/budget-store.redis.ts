import type { Redis } from 'ioredis';
import { ReadBatch } from '#libs/platform';
import { budgetDay, type ChargedConnection, DAY_MS, endOfDay } from './budget.js';
import { BudgetStore, type ChargeOutcome, type DayBalance } from './budget-store.js';

/** Each begins with the number of its keys. */
type Script = (...keysAndArguments: readonly (string | number)[]) => Promise<number>;
type BudgetRedis = Redis & Record<'budgetReserve' | 'budgetGiveBack' | 'budgetReset', Script>;

// KEYS are those of the account and, for a charge of a connection, of the connection and of the account's list of
// connections, of two days each. ARGV are the amount, the limit, when the keys of each day expire and, for a connection,
// its limit or '', and its keys without a prefix. Returns 1 or 2 for the day that was charged, 0 or -1 for the limit that
// refused, that of the account or of the connection.
const RESERVE = `
  local charged = redis.call('EXISTS', KEYS[2]) == 1 and 2 or 1
  local account, connection, list = KEYS[charged], KEYS[2 + charged], KEYS[4 + charged]
  local sum = function(key) return tonumber(redis.call('GET', key) or '0') + tonumber(ARGV[1]) end
  if sum(account) > tonumber(ARGV[2]) then return 0 end
  if connection and ARGV[5] ~= '' and sum(connection) > tonumber(ARGV[5]) then return -1 end
  for _, key in ipairs({account, connection}) do redis.call('INCRBY', key, ARGV[1]) end
  if list then redis.call('SADD', list, ARGV[5 + charged]) end
  for _, key in ipairs({account, connection, list}) do
    redis.call('EXPIREAT', key, ARGV[2 + charged])
  end
  return charged`;

const GIVE_BACK = `
  local back = 0
  for _, key in ipairs(KEYS) do
    back = math.min(tonumber(redis.call('GET', key) or '0'), tonumber(ARGV[1]))
    if back > 0 then redis.call('DECRBY', key, back) end
  end
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

  private readonly redis: BudgetRedis;

  constructor(redis: Redis) {
    super();
    redis.defineCommand('budgetReserve', { lua: RESERVE });
    redis.defineCommand('budgetGiveBack', { lua: GIVE_BACK });
    redis.defineCommand('budgetReset', { lua: RESET });
    this.redis = redis as BudgetRedis;
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    const next = dayAfter(day);
    const names = [key(userId, day), key(userId, next)];
    const [used, usedNext] = await Promise.all(names.map((name) => this.used.find(name)));
    if (usedNext !== undefined) return { day: next, used: usedNext };
    return { day, used: used ?? 0 };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    const outcome = await this.charge(userId, day, amount, limit);
    return 'day' in outcome ? outcome.day : undefined;
  }

  /** Deletes all days that can have a key: a key is kept for a day after its end, and clocks differ. */
  override async forget(userId: string) {
    const yesterday = budgetDay(new Date(Date.now() - DAY_MS));
    const today = dayAfter(yesterday);
    const tomorrow = dayAfter(today);
    const days = [yesterday, today, tomorrow];
    const lists = days.map((day) => listKey(userId, day));
    const ofConnections = await Promise.all(lists.map((list) => this.redis.smembers(list)));
    await this.redis.del([
      ...days.map((day) => key(userId, day)),
      ...lists,
      ...ofConnections.flat(),
    ]);
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await this.redis.budgetGiveBack(1, key(userId, day), amount);
  }

  override async reset(userId: string, day: string) {
    await this.redis.budgetReset(2, key(userId, day), key(userId, dayAfter(day)));
  }

  override async reserveWithin(
    connection: ChargedConnection,
    userId: string,
    day: string,
    amount: number,
    limit: number,
  ): Promise<ChargeOutcome> {
    return this.charge(userId, day, amount, limit, connection);
  }

  override async giveBackWithin(connectionId: string, userId: string, day: string, amount: number) {
    const ofConnection = key(connectionOwner(connectionId), day);
    await this.redis.budgetGiveBack(2, key(userId, day), ofConnection, amount);
  }

  override async usedBy(connectionIds: readonly string[], day: string) {
    const balances = connectionIds.map(async (id) => {
      const { used } = await this.read(connectionOwner(id), day);
      return [id, used] as const;
    });
    return new Map((await Promise.all(balances)).filter(([, used]) => used > 0));
  }

  private async charge(
    userId: string,
    day: string,
    amount: number,
    limit: number,
    connection?: ChargedConnection,
  ): Promise<ChargeOutcome> {
    const days = [day, dayAfter(day)];
    const keys = days.map((one) => key(userId, one));
    const further: (string | number)[] = [];
    if (connection) {
      const ofConnection = days.map((one) => key(connectionOwner(connection.id), one));
      keys.push(...ofConnection, ...days.map((one) => listKey(userId, one)));
      further.push(connection.dailyCredits ?? '', ...ofConnection);
    }
    const terms = [amount, limit, ...days.map(expiresAtSeconds), ...further];
    const charged = await this.redis.budgetReserve(keys.length, ...keys, ...terms);
    const chargedDay = days[charged - 1];
    if (chargedDay !== undefined) return { day: chargedDay };
    return { limitedBy: charged === 0 ? 'account' : 'connection' };
  }

  private async readAll(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const values = await this.redis.mget([...keys]);
    return new Map(
      keys.flatMap((name, n) => (values[n] == null ? [] : [[name, Number(values[n])]])),
    );
  }
}

/** In place of a user's id, which has no colon unless it is a machine client's, `client:…`. */
const connectionOwner = (id: string) => `connection:${id}`;

const key = (userId: string, day: string) => `budget:${userId}:${day}`;

/** The keys of the connections that were charged that day. */
const listKey = (userId: string, day: string) => `${key(userId, day)}:connections`;

const dayAfter = (day: string) => budgetDay(new Date(endOfDay(day)));

const expiresAtSeconds = (day: string) => (Date.parse(endOfDay(day)) + DAY_MS) / 1000;
