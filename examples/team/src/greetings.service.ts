import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GreetingEntity } from './greeting.entity.js';

/** How often each user was greeted. */
@Injectable()
export class GreetingsService {
  constructor(private readonly dataSource: DataSource) {}

  async countOf(userId: string): Promise<number> {
    const found = await this.dataSource.manager.findOneBy(GreetingEntity, { userId });
    return found?.count ?? 0;
  }

  async add(userId: string) {
    await this.dataSource.query(
      `INSERT INTO acme_greetings (user_id, count) VALUES ($1, 1)
       ON CONFLICT (user_id) DO UPDATE SET count = acme_greetings.count + 1`,
      [userId],
    );
  }

  /** Returns how many there were. */
  async forget(userId: string): Promise<number> {
    const count = await this.countOf(userId);
    await this.dataSource.manager.delete(GreetingEntity, { userId });
    return count;
  }

  async startFrom(userId: string, count: number) {
    await this.dataSource.manager.upsert(GreetingEntity, { userId, count }, ['userId']);
  }
}
