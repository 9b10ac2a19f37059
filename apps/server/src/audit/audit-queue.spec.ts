import { Logger } from '@nestjs/common';
import { describeOnDatabases } from '#libs/platform/testing';
import { OutboxEventEntity } from '../outbox/outbox.entity.js';
import { auditRow, emptyOutbox, outboxSchema, tell } from '../outbox/outbox.testbed.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { pendingRow } from './audit-counters.js';
import { AuditQueue } from './audit-queue.js';

const ATTEMPTED = { attempts: 1, failure: 'the webhook answered 500' };

describeOnDatabases('events of a row that counts', outboxSchema, (replicas) => {
  const logger = new Logger('Audit');
  let queue: AuditQueue;
  let pending: ReturnType<typeof pendingRow>;

  beforeEach(async () => {
    jest.spyOn(logger, 'error').mockImplementation(() => {});
    await emptyOutbox(replicas()[0]);
    queue = new AuditQueue(replicas()[0], logger, { copies: [''], wakeUp() {} });
    pending = pendingRow(auditRow('ann', { type: 'display-name-changed' }));
  });

  const events = () =>
    replicas()[1].manager.find(OutboxEventEntity, { order: { place: 'ASC', id: 'ASC' } });
  const counts = async () => (await events()).map(({ id }) => Number(id.slice(37) || 1));
  const countUpTo = async (count: number) => {
    pending.row.count = count;
    queue.add(pending);
    await queue.close();
  };
  const set = (count: number, values: Partial<OutboxEventEntity>) =>
    replicas()[1].manager.update(OutboxEventEntity, { id: `${pending.row.id}-${count}` }, values);

  it('that are not delivered yet stay two, the first and the last, however often the row grows', async () => {
    for (let count = 1; count <= 30; count += 1) await countUpTo(count);
    expect(await counts()).toEqual([1, 30]);
    expect(JSON.parse((await events())[1]?.body ?? '')).toMatchObject({ data: { count: 30 } });
  });

  it('stay in the order of their account', async () => {
    await countUpTo(1);
    await countUpTo(2);
    const [other] = await tell(replicas()[1], 'ann');
    await countUpTo(3);
    const [first, second, third] = await events();
    expect([first?.id, second?.id, third?.id]).toEqual([
      pending.row.id,
      other,
      `${pending.row.id}-3`,
    ]);
  });

  it('stay where one was tried, or given up', async () => {
    for (const count of [1, 2]) await countUpTo(count);
    await set(2, ATTEMPTED);
    await countUpTo(3);
    await set(3, { deadAt: 1 });
    await countUpTo(4);
    expect(await counts()).toEqual([1, 2, 3, 4]);
  });

  it('wait where the row alone is written, and tell its count then', async () => {
    const grow = async (count: number, isTold: boolean) => {
      pending.row.count = count;
      queue.tryAdd(pending, isTold);
      await queue.close();
    };
    await grow(1, true);
    await grow(5, false);
    expect(await counts()).toEqual([1]);
    expect(pending).toMatchObject({ writtenCount: 5, toldCount: 1 });
    expect(
      (await replicas()[1].manager.findOneBy(AuditEventEntity, { id: pending.row.id }))?.count,
    ).toBe(5);
    await grow(5, true);
    await grow(7, true);
    expect(await counts()).toEqual([1, 7]);
    // The first one is being written when the others come.
    for (const count of [8, 9]) {
      pending.row.count = count;
      queue.tryAdd(pending);
    }
    await grow(10, false);
    expect(await counts()).toEqual([1, 10]);
  });

  it('stay when the same count is written again, as after an answer that was lost', async () => {
    for (const count of [1, 2, 3, 3]) await countUpTo(count);
    expect(await counts()).toEqual([1, 3]);
    pending.toldCount = 2;
    await countUpTo(3);
    expect(await counts()).toEqual([1, 3]);
  });
});
