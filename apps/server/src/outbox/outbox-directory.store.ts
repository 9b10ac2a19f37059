import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type SelectQueryBuilder } from 'typeorm';
import { RefusalError } from '#libs/accounts';
import {
  type ListPage,
  type PageRequest,
  readDatabaseClock,
  readNewestFirst,
} from '#libs/platform';
import { OutboxEventEntity, OutboxQueueEntity } from './outbox.entity.js';
import { makeQueuesDue, retryEvents } from './outbox.store.js';

export const OUTBOX_STATES = ['waiting', 'dead'] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

const BATCH = 500;

@Injectable()
export class OutboxDirectory {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first; given-up events by the time they were given up. @throws NotFoundException */
  list(state: OutboxState, asked: PageRequest): Promise<ListPage<OutboxEventEntity>> {
    return state === 'dead'
      ? readNewestFirst(this.select('event.deadAt > 0'), asked, 'deadAt')
      : readNewestFirst(this.select('event.deadAt IS NULL'), asked, 'id');
  }

  /**
   * Includes the time of the queue's next attempt. Throws RefusalError 404 for an event that does not exist any more.
   */
  async get(id: string): Promise<OutboxEventEntity & { readonly dueAt: number | null }> {
    const { manager } = this.dataSource;
    const event = await manager.findOneBy(OutboxEventEntity, { id });
    if (!event) throw new RefusalError(404, 'no event of this id waits or was given up');
    const queue = await manager.findOneBy(OutboxQueueEntity, { id: event.queueId });
    return { ...event, dueAt: event.deadAt === null ? (queue?.dueAt ?? null) : null };
  }

  /** Delivers the event again as if it had never failed. @throws as `get` */
  async retry(id: string): Promise<void> {
    await retryEvents(this.dataSource, [await this.get(id)]);
  }

  /** Retries all events given up so far, and makes events that wait for another attempt due now. */
  async retryAll(): Promise<{ readonly dead: number }> {
    const until = await readDatabaseClock(this.dataSource);
    let dead = 0;
    let events: readonly OutboxEventEntity[];
    do {
      const deadSoFar = this.select('event.deadAt <= :until').setParameters({ until });
      events = await deadSoFar.orderBy('event.deadAt').limit(BATCH).getMany();
      if (events.length > 0) await retryEvents(this.dataSource, events);
      dead += events.length;
    } while (events.length === BATCH);
    while ((await makeQueuesDue(this.dataSource, BATCH)) === BATCH);
    return { dead };
  }

  /** Removes the event without delivering it; the events behind it are delivered. @throws as `get` */
  async remove(id: string): Promise<void> {
    const { queueId, deadAt } = await this.get(id);
    await this.dataSource.manager.delete(OutboxEventEntity, { id });
    if (deadAt !== null) return;
    const unclaimed = { id: queueId, claim: IsNull() };
    await this.dataSource.manager.update(OutboxQueueEntity, unclaimed, { dueAt: 0 });
  }

  private select(condition: string): SelectQueryBuilder<OutboxEventEntity> {
    return this.dataSource.createQueryBuilder(OutboxEventEntity, 'event').where(condition);
  }
}
