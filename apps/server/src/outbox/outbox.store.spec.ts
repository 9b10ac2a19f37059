import { NotFoundException } from '@nestjs/common';
import { preparedStatements } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { AuditEventEntity } from '../audit/audit-event.entity.js';
import { insertAuditRows } from '../audit/audit.store.js';
import { OutboxDirectory } from './outbox-directory.store.js';
import { OutboxEventEntity, OutboxQueueEntity } from './outbox.entity.js';
import { type ClaimedQueue, OutboxClaims, type WaitingEvent } from './outbox.store.js';
import { auditRow, emptyOutbox, outboxSchema, tell } from './outbox.testbed.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describeOnDatabases('turns of the outbox', outboxSchema, (replicas) => {
  const one = () => new OutboxClaims(replicas()[0]);
  const other = () => new OutboxClaims(replicas()[1]);
  const manager = () => replicas()[0].manager;

  beforeEach(() => emptyOutbox(replicas()[0]));

  const claim = async (most = 8) => {
    const queues = await one().claim(most);
    return queues.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const theOne = async (claims = one()) => (await claims.claim(8))[0] as ClaimedQueue;
  const ids = async (queue: ClaimedQueue) => (await one().next(queue)).map(({ id }) => id);
  const first = async (queue: ClaimedQueue) => {
    const [event] = await one().next(queue);
    if (!event) throw new Error('nothing waits');
    return event;
  };
  const loseLeases = () => manager().updateAll(OutboxQueueEntity, { dueAt: 1 });
  const events = () => manager().find(OutboxEventEntity, { order: { place: 'ASC' } });

  it('an account has one queue, in the order in which its events were written', async () => {
    const [a1, b1, a2] = await tell(replicas()[0], 'ann', 'bob', 'ann');
    const [a3] = await tell(replicas()[1], 'ann');
    const [ann, bob, ...more] = await claim();
    expect(more).toEqual([]);
    expect(await ids(ann as ClaimedQueue)).toEqual([a1, a2, a3]);
    expect(await ids(bob as ClaimedQueue)).toEqual([b1]);
  });

  it('what belongs to no account waits for nothing else', async () => {
    await tell(replicas()[0], null, null, null);
    expect(await claim()).toHaveLength(3);
  });

  it('of many replicas that ask at once, one has a queue', async () => {
    await tell(replicas()[0], ...Array.from({ length: 40 }, (_, n) => `user ${n}`));
    const asked = Array.from({ length: 40 }, (_, n) => (n % 2 ? one() : other()).claim(3));
    const claimed = (await Promise.all(asked)).flat().map(({ id }) => id);
    expect(claimed).toHaveLength(new Set(claimed).size);
    for (let found = await one().claim(8); found.length > 0; found = await one().claim(8)) {
      claimed.push(...found.map(({ id }) => id));
    }
    expect(claimed.toSorted()).toEqual([...new Set(claimed)].toSorted());
    expect(claimed).toHaveLength(40);
  });

  it('a replica that lost the lease changes nothing', async () => {
    await tell(replicas()[0], 'ann', 'ann');
    const lost = await theOne();
    const event = await first(lost);
    await loseLeases();
    const held = await theOne(other());
    expect(held.id).toBe('ann');
    await one().fail(lost, event, 'late', 5_000);
    await one().giveUp(lost, event, 'late');
    await one().release(lost);
    expect(await one().finish(lost)).toBe(false);
    expect(await one().claim(8)).toEqual([]);
    expect((await events()).map(({ attempts, deadAt }) => [attempts, deadAt])).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  it('a failure keeps back the rest of its account, and no other account', async () => {
    await tell(replicas()[0], 'ann', 'ann', 'bob');
    const [ann, bob] = await claim();
    const event = await first(ann as ClaimedQueue);
    await one().fail(ann as ClaimedQueue, event, 'the webhook answered 500', 60_000);
    await one().release(bob as ClaimedQueue);
    expect((await claim()).map(({ id }) => id)).toEqual(['bob']);
    await loseLeases();
    const again = await first((await claim())[0] as ClaimedQueue);
    expect(again).toMatchObject({ id: event.id, attempts: 1 });
  });

  it('what is given up lets the next one go, and is kept for 30 days', async () => {
    const [, second] = await tell(replicas()[0], 'ann', 'ann');
    const ann = await theOne();
    await one().giveUp(ann, await first(ann), 'the webhook answered 400');
    expect(await ids(await theOne())).toEqual([second]);
    const [dead] = await events();
    expect(dead).toMatchObject({ attempts: 1, failure: 'the webhook answered 400' });
    expect((dead?.expiresAt ?? 0) - (dead?.deadAt ?? 0)).toBe(30 * DAY_MS);
  });

  it('with the first, all is given up that has waited for longer than its attempts take', async () => {
    await tell(replicas()[0], 'ann', 'ann', 'ann', 'bob');
    await manager().updateAll(OutboxEventEntity, { createdAt: Date.now() - 4 * DAY_MS });
    const [young] = await tell(replicas()[0], 'ann');
    const [ann] = await claim();
    const event = await first(ann as ClaimedQueue);
    expect(event.isLate).toBe(true);
    await one().giveUp(ann as ClaimedQueue, event, 'late');
    const waiting = (await events()).filter(({ deadAt }) => deadAt === null);
    expect(waiting.map(({ queueId }) => queueId).toSorted()).toEqual(['ann', 'bob']);
    expect(waiting.map(({ id }) => id)).toContain(young);
  });

  it('a queue ends when nothing is left, and not when something came meanwhile', async () => {
    const [id] = await tell(replicas()[0], 'ann');
    const ann = await theOne();
    await one().delivered(await first(ann));
    const [later] = await tell(replicas()[1], 'ann');
    expect(await one().finish(ann)).toBe(false);
    await one().release(ann);
    const again = await theOne(other());
    expect(await ids(again)).toEqual([later]);
    expect(later).not.toBe(id);
    await other().delivered(await first(again));
    expect(await other().finish(again)).toBe(true);
    expect(await manager().count(OutboxQueueEntity)).toBe(0);
  });

  it('nothing is lost or out of order between many writers and many readers', async () => {
    const seen = new Map<string, string[]>();
    const write = async (user: string) => {
      const written: string[] = [];
      for (let n = 0; n < 10; n += 1) {
        const [id = '', , next = ''] = await tell(replicas()[n % 2 ? 0 : 1], user, null, user);
        written.push(id, next);
      }
      return written;
    };
    const writing = new AbortController();
    const read = async (claims: OutboxClaims) => {
      while (!writing.signal.aborted || (await manager().count(OutboxQueueEntity)) > 0) {
        for (const queue of await claims.claim(3)) {
          for (const event of await claims.next(queue)) {
            seen.set(queue.id, [...(seen.get(queue.id) ?? []), event.id]);
            await claims.delivered(event);
          }
          if (!(await claims.finish(queue))) await claims.release(queue);
        }
      }
    };
    const readers = [one(), other(), one(), other()].map(read);
    const users = ['ann', 'bob', 'cid'];
    const written = await Promise.all(users.map(write));
    writing.abort();
    await Promise.all(readers);
    expect(users.map((user) => seen.get(user))).toEqual(written);
    expect([...seen.values()].flat()).toHaveLength(90);
    expect(await events()).toEqual([]);
  });

  it('looks at no queue that is not due, however many there are', async () => {
    const statement = preparedStatements().find(({ name }) => name === 'outbox-claim');
    const [text] = statement?.textsFor(replicas()[0]) ?? [];
    const sql = text?.replace(/[$?]1/, "'mine'").replace(/[$?]2/, '8');
    const isSqlite = replicas()[0].options.type === 'sqlite';
    const plan = await replicas()[0].transaction(async (transaction) => {
      if (!isSqlite) await transaction.query('SET LOCAL enable_seqscan = off');
      return transaction.query(`${isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${sql}`);
    });
    expect(JSON.stringify(plan)).toMatch(
      /outbox_queues_due_at \(due_at<\?\)|Index Cond: \(due_at <=/,
    );
  });

  it('is written with the audit trail, or neither is', async () => {
    const row = auditRow('ann', { detail: 'x'.repeat(10) });
    const wrong = { ...auditRow('ann'), type: null as never };
    await expect(insertAuditRows(replicas()[0], [row, wrong], [''])).rejects.toThrow();
    expect(await events()).toEqual([]);
    expect(await manager().countBy(AuditEventEntity, { id: row.id })).toBe(0);
    await insertAuditRows(replicas()[0], [row], ['']);
    await insertAuditRows(replicas()[1], [row], ['']);
    await insertAuditRows(replicas()[1], [{ ...row, count: 7 }], ['']);
    const found = await events();
    expect(found.map(({ id }) => id)).toEqual([row.id, `${row.id}-7`]);
    expect(JSON.parse(found[1]?.body ?? '')).toMatchObject({ data: { id: row.id, count: 7 } });
  });
});

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

describeOnDatabases('events that are retried', outboxSchema, (replicas) => {
  const claims = () => new OutboxClaims(replicas()[0]);
  const directory = (replica: 0 | 1) => new OutboxDirectory(replicas()[replica]);
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
    await expect(next).rejects.toThrow(NotFoundException);
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
