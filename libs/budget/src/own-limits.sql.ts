import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/database';
import type { Deletion } from './budget-store.js';

const FIND = new PreparedStatement(
  'own-limit',
  'SELECT credits FROM budget_limits WHERE user_id = $1',
);

/** Daily limits that differ from everybody's, in SQL wherever the credits are counted. */
@Injectable()
export class OwnLimits {
  constructor(private readonly dataSource: DataSource) {}

  /** Credits per UTC day; undefined for a user without a limit of its own. */
  async find(userId: string): Promise<number | undefined> {
    const { rows } = await FIND.run(this.dataSource, [userId]);
    return rows[0] && Number(rows[0]['credits']);
  }

  /** Inside a transaction through which the user stays, if there is one: otherwise it may outlive the user. */
  async set(
    userId: string,
    credits: number,
    on: Pick<DataSource, 'query'> = this.dataSource,
  ): Promise<void> {
    await on.query(
      `INSERT INTO budget_limits (user_id, credits) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET credits = excluded.credits`,
      [userId, credits],
    );
  }

  /** Inside the transaction that deletes the user, if there is one. */
  async remove(userId: string, on: Deletion = this.dataSource): Promise<void> {
    await on.query('DELETE FROM budget_limits WHERE user_id = $1', [userId]);
  }
}
