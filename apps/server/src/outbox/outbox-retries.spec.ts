import { describeOnDatabases } from '../../../../test/support/services/describe-on-databases.js';
import { UnknownPageError } from '#libs/platform';
import { type ClaimedQueue, OutboxClaims, type WaitingEvent } from './outbox-claims.sql.js';
import { OutboxDirectoryService } from './outbox-directory.service.js';
import { OutboxEventEntity } from './outbox-event.entity.js';
import { emptyOutbox, outboxSchema, tell } from './outbox.testbed.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

describeOnDatabases('events that are retried', outboxSchema, (replicas) => {
  const claims = () => new OutboxClaims(replicas()[0]);
  const directory = (replica: 0 | 1) => new OutboxDirectoryService(replicas()[replica]);
  const manager = () => replicas()[0].manager;

  beforeEach(() => emptyOutbox(replicas()[0]));

  /** Attempts the first event of the only queue. */
  async function attempt(work: (queue: ClaimedQueue, event: WaitingEvent) => Promise<unknown>) {
    const [queue] = await claims().claim(8);
    if (!queue) throw new Error('nothing is due');
    const [event] = await claims().next(queue);
    if (!event) throw new Error('nothing waits');
    await work(queue, event);
    return event.id;
  }
  const refuse = () => attempt((queue, event) => claims().giveUp(queue, event, 'no'));
  const take = () =>
    attempt(async (queue, event) => {
      await claims().delivered(event);
      await claims().release(queue);
    });

  const dead = async () => (await directory(0).list('dead', { limit: 100 })).items;

  it('after a week have an attempt each, whatever comes of the one before them', async () => {
    const ids = await tell(replicas()[0], 'ann', 'ann', 'ann');
    await manager().updateAll(OutboxEventEntity, { createdAt: Date.now() - WEEK_MS });
    await refuse();
    expect(await dead()).toHaveLength(3);
    await directory(0).retryAll();
    expect([await refuse(), await take(), await refuse()]).toEqual(ids);
    expect((await dead()).map(({ id }) => id).toSorted()).toEqual([ids[0], ids[2]].toSorted());
  });

  it('are no place to go on from in the list of those that were given up', async () => {
    const [first = ''] = await tell(replicas()[0], 'ann', 'ann');
    await manager().updateAll(OutboxEventEntity, { deadAt: 1 });
    await directory(0).retry(first);
    const next = directory(0).list('dead', { limit: 1, after: first });
    await expect(next).rejects.toThrow(UnknownPageError);
  });

  it('come once, in their places, however many administrators retry them at once', async () => {
    const ids = await tell(replicas()[0], 'ann', 'ann', 'ann', 'bob');
    await manager().updateAll(OutboxEventEntity, { deadAt: 1, attempts: 10, failure: 'no' });
    const retrying = Array.from({ length: 16 }, (_, n) => directory(n % 2 ? 1 : 0).retryAll());
    await Promise.all(retrying);
    expect(await dead()).toEqual([]);
    const queues = await claims().claim(8);
    const waiting = await Promise.all(queues.map((queue) => claims().next(queue)));
    const [longest] = waiting.toSorted((a, b) => b.length - a.length);
    expect(longest?.map(({ id, attempts }) => [id, attempts])).toEqual(
      ids.slice(0, 3).map((id) => [id, 0]),
    );
    expect(queues.map(({ id }) => id).toSorted()).toEqual(['ann', 'bob']);
  });
});
