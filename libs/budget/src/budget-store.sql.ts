import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  In,
  Index,
  LessThan,
  MoreThanOrEqual,
  type ObjectLiteral,
  PrimaryColumn,
} from 'typeorm';
import {
  BatchedRead,
  column,
  guardedChanges,
  PreparedStatement,
  type Sweep,
  wholeNumber,
} from '#libs/platform';
import {
  accountOutcome,
  BudgetStore,
  type ChargeOutcome,
  type DayBalance,
  type Deletion,
} from './budget-store.js';
import { budgetDay, type ChargedConnection, DAY_MS } from './budget.js';

@Entity('budgets')
export class BudgetEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The latest UTC day that was charged, `YYYY-MM-DD`. */
  @Index('budgets_day')
  @Column('varchar', { length: 10 })
  day!: string;

  @Column('bigint', { transformer: wholeNumber })
  used!: number;
}

@Entity('connection_budgets')
export class ConnectionBudgetEntity {
  @PrimaryColumn('varchar', { name: 'connection_id', length: 64 })
  connectionId!: string;

  @Index('connection_budgets_user')
  @Column('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  /** The latest UTC day that was charged, never later than that of the account. */
  @Index('connection_budgets_day')
  @Column('varchar', { length: 10 })
  day!: string;

  @Column('bigint', { transformer: wholeNumber })
  used!: number;
}

/** Long enough that a replica whose clock is ahead deletes no day that still counts for another. */
const KEPT_MS = 30 * DAY_MS;

/** Deletes rows of past days; `key` is the property that is the primary key. */
function pastDays(entity: new () => ObjectLiteral, key: string): Sweep {
  return async ({ manager }, limit) => {
    const over = { day: LessThan(budgetDay(new Date(Date.now() - KEPT_MS))) };
    const rows = await manager.find(entity, { where: over, take: limit });
    if (rows.length === 0) return 0;
    // A row that was charged after it was read has a later day now and is kept.
    await manager.delete(entity, { [key]: In(rows.map((row) => row[key])), ...over });
    return rows.length;
  };
}

export const sweepPastDays = pastDays(BudgetEntity, 'userId');
export const sweepPastDaysOfConnections = pastDays(ConnectionBudgetEntity, 'connectionId');

const READ = new BatchedRead(
  'budget',
  ({ keys }) => `
    SELECT keys.value AS key, b.day, b.used, l.credits
    FROM ${keys}
    LEFT JOIN budgets b ON b.user_id = keys.value
    LEFT JOIN budget_limits l ON l.user_id = keys.value`,
);

/** What is used after a further charge. */
const sumIn = (table: string) =>
  `CASE WHEN excluded.day > ${table}.day THEN 0 ELSE ${table}.used END + excluded.used`;

const addedIn = (table: string) => `
     day = CASE WHEN excluded.day > ${table}.day THEN excluded.day ELSE ${table}.day END,
     used = ${sumIn(table)}`;

/** Begins with a new line: TypeORM's own driver for SQLite returns no rows of a text that begins with INSERT. */
const CHARGE_ACCOUNT = `
   INSERT INTO budgets (user_id, day, used) VALUES (:userId, :day, :amount)
   ON CONFLICT (user_id) DO UPDATE SET ${addedIn('budgets')}
   WHERE ${sumIn('budgets')} <= :limit
   RETURNING day`;

type Charge = 'userId' | 'day' | 'amount' | 'limit';

const RESERVE = new PreparedStatement<Charge>('reserve-credits', CHARGE_ACCOUNT);

/** For a connection without a limit: 56 µs of CPU on Postgres, 32 at once; the transaction for a limit takes 164. */
const RESERVE_COUNTED = new PreparedStatement<Charge | 'connectionId'>(
  'reserve-counted-credits',
  guardedChanges(
    CHARGE_ACCOUNT,
    ({ type }) => `
      INSERT INTO connection_budgets (connection_id, user_id, day, used)
      SELECT :connectionId, :userId, charged.day, :amount
      FROM ${type === 'postgres' ? 'guard AS charged' : 'budgets AS charged WHERE user_id = :userId'}
      ON CONFLICT (connection_id) DO UPDATE SET ${addedIn('connection_budgets')}`,
  ),
);

const RESERVE_OF_CONNECTION = new PreparedStatement<Charge | 'connectionId'>(
  'reserve-credits-of-connection',
  `
   INSERT INTO connection_budgets (connection_id, user_id, day, used)
   VALUES (:connectionId, :userId, :day, :amount)
   ON CONFLICT (connection_id) DO UPDATE SET ${addedIn('connection_budgets')}
   WHERE ${sumIn('connection_budgets')} <= :limit
   RETURNING day`,
);

const TAKE_OFF = 'used = CASE WHEN used > :amount THEN used - :amount ELSE 0 END';

const GIVE_BACK_TO_ACCOUNT = `UPDATE budgets SET ${TAKE_OFF} WHERE user_id = :userId AND day = :day`;

const GIVE_BACK = new PreparedStatement<'userId' | 'day' | 'amount'>(
  'give-back-credits',
  GIVE_BACK_TO_ACCOUNT,
);

/** Locks the account first, as charges do. Where its day is gone, that of the connection is too. */
const GIVE_BACK_COUNTED = new PreparedStatement<'connectionId' | 'userId' | 'day' | 'amount'>(
  'give-back-counted-credits',
  guardedChanges(
    GIVE_BACK_TO_ACCOUNT,
    ({ guarded }) => `
      UPDATE connection_budgets SET ${TAKE_OFF}
      WHERE connection_id = :connectionId AND day = :day AND ${guarded}`,
  ),
);

const RESET = new PreparedStatement<'userId' | 'day'>(
  'reset-credits',
  'UPDATE budgets SET used = 0 WHERE user_id = :userId AND day >= :day',
);

/** One row per user and one per connection, for the latest day that was charged; for both SQLite and Postgres. */
@Injectable()
export class SqlBudgetStore extends BudgetStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async read(userId: string, day: string): Promise<DayBalance> {
    const row = await READ.find(this.dataSource, userId);
    if (!row) return { day, used: 0, ownLimit: null };
    const ownLimit = column.numberOrNull(row, 'credits');
    const latest = column.textOrNull(row, 'day');
    if (latest === null || latest < day) return { day, used: 0, ownLimit };
    return { day: latest, used: column.number(row, 'used'), ownLimit };
  }

  override async reserve(userId: string, day: string, amount: number, limit: number) {
    if (amount > limit) return undefined;
    const [row] = (await RESERVE.run(this.dataSource, { userId, day, amount, limit })).rows;
    return row && column.text(row, 'day');
  }

  override async forget(userId: string, deletion: Deletion) {
    await deletion.query('DELETE FROM budgets WHERE user_id = $1', [userId]);
    await deletion.query('DELETE FROM connection_budgets WHERE user_id = $1', [userId]);
  }

  override async giveBack(userId: string, day: string, amount: number) {
    await GIVE_BACK.run(this.dataSource, { userId, day, amount });
  }

  override async reset(userId: string, day: string) {
    await RESET.run(this.dataSource, { userId, day });
  }

  override async reserveWithin(
    { id: connectionId, dailyCredits }: ChargedConnection,
    userId: string,
    day: string,
    amount: number,
    limit: number,
  ): Promise<ChargeOutcome> {
    if (amount > limit) return { limitedBy: 'account' };
    if (dailyCredits === null) {
      const values = { connectionId, userId, day, amount, limit };
      const [row] = (await RESERVE_COUNTED.run(this.dataSource, values)).rows;
      return accountOutcome(row && column.text(row, 'day'));
    }
    const refused = new Error('the limit of the connection');
    const charge = this.dataSource.transaction<ChargeOutcome>(async (manager) => {
      const [row] = (await RESERVE.run(manager, { userId, day, amount, limit })).rows;
      if (!row) return { limitedBy: 'account' };
      if (amount > dailyCredits) throw refused;
      const charged = column.text(row, 'day');
      const values = { connectionId, userId, day: charged, amount, limit: dailyCredits };
      const { rows } = await RESERVE_OF_CONNECTION.run(manager, values);
      if (rows.length === 0) throw refused;
      return { day: charged };
    });
    return charge.catch((error: unknown) => {
      if (error === refused) return { limitedBy: 'connection' };
      throw error;
    });
  }

  override async giveBackWithin(connectionId: string, userId: string, day: string, amount: number) {
    await GIVE_BACK_COUNTED.run(this.dataSource, { connectionId, userId, day, amount });
  }

  override async usedBy(connectionIds: readonly string[], day: string) {
    const rows = await this.dataSource.manager.findBy(ConnectionBudgetEntity, {
      connectionId: In(connectionIds),
      day: MoreThanOrEqual(day),
    });
    return new Map(rows.map(({ connectionId, used }) => [connectionId, used]));
  }
}
