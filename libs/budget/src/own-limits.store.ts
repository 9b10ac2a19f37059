import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import {
  BatchedRead,
  column,
  PreparedStatement,
  type SqlTarget,
  wholeNumber,
} from '#libs/platform';
import type { Deletion } from './budget-store.js';

@Entity('budget_limits')
export class OwnLimitEntity {
  @PrimaryColumn('varchar', { name: 'user_id', length: 64 })
  userId!: string;

  @Column('bigint', { transformer: wholeNumber })
  credits!: number;
}

const FIND = new BatchedRead(
  'own-limit',
  ({ keys }) => `
    SELECT l.user_id AS key, l.credits FROM ${keys} JOIN budget_limits l ON l.user_id = keys.value`,
);

const SET = new PreparedStatement<'userId' | 'credits'>(
  'set-own-limit',
  `INSERT INTO budget_limits (user_id, credits) VALUES (:userId, :credits)
   ON CONFLICT (user_id) DO UPDATE SET credits = excluded.credits`,
);

/** Daily limits of single accounts; in SQL even when another store counts the credits. */
@Injectable()
export class OwnLimits {
  constructor(private readonly dataSource: DataSource) {}

  /** Credits per UTC day; undefined for a user without their own limit. */
  async find(userId: string): Promise<number | undefined> {
    const row = await FIND.find(this.dataSource, userId);
    return row && column.number(row, 'credits');
  }

  /** Call it in a transaction that locks the user: otherwise the limit may outlive the user. */
  async set(userId: string, credits: number, on: SqlTarget = this.dataSource): Promise<void> {
    await SET.run(on, { userId, credits });
  }

  /** In the transaction that deletes the user, if there is one. */
  async remove(userId: string, on: Deletion = this.dataSource): Promise<void> {
    await on.query('DELETE FROM budget_limits WHERE user_id = $1', [userId]);
  }
}
