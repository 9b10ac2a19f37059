import { Logger } from '@nestjs/common';
import { describeOnDatabases } from '#libs/platform/testing';
import { OutboxEventEntity } from '../outbox/outbox.entity.js';
import { auditRow, emptyOutbox, outboxSchema, tell } from '../outbox/outbox.testbed.js';
import { AuditQueue } from './audit-queue.js';

const ATTEMPTED = { attempts: 1, failure: 'the webhook answered 500' };

describeOnDatabases('events of a row that counts', outboxSchema, (replicas) => {
  const logger = new Logger('Audit');
  let queue: AuditQueue;
  let pending: { readonly row: ReturnType<typeof auditRow>; writtenCount: number };

  beforeEach(async () => {
    jest.spyOn(logger, 'error').mockImplementation(() => {});
    await emptyOutbox(replicas()[0]);
    queue = new AuditQueue(replicas()[0], logger, { copies: [''], wakeUp() {} });
    pending = { row: auditRow('ann', { type: 'display-name-changed' }), writtenCount: 0 };
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

  it('stay when the same count is written again, as after an answer that was lost', async () => {
    for (const count of [1, 2, 3, 3]) await countUpTo(count);
    expect(await counts()).toEqual([1, 3]);
    pending.writtenCount = 2;
    await countUpTo(3);
    expect(await counts()).toEqual([1, 3]);
  });
});
