import { Logger } from '@nestjs/common';
import { InProcessUserRunLimit, UserRunLimit } from './user-run-limit.js';
import { RunQueueService } from './run-queue.service.js';

class BrokenLimit extends UserRunLimit {
  override acquire() {
    return Promise.reject(new Error('down'));
  }
  override release() {
    return Promise.reject(new Error('down'));
  }
}

/** Counts a run, but its answer is lost. */
class DeafLimit extends InProcessUserRunLimit {
  answers = false;

  override async acquire(userId: string, runId: string, leaseMs: number) {
    const acquired = await super.acquire(userId, runId, leaseMs);
    if (!this.answers) throw new Error('no answer');
    return acquired;
  }
}

class ForgetfulLimit extends InProcessUserRunLimit {
  override release() {
    return Promise.reject(new Error('down'));
  }
}

describe('RunQueueService', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('lets two runs in, and the third when one of them is over', async () => {
    const queue = new RunQueueService(new InProcessUserRunLimit());
    const [releaseFirst] = await Promise.all([queue.enter('ann'), queue.enter('ann')]);
    const third = queue.enter('ann');
    await releaseFirst();
    await expect(third).resolves.toBeInstanceOf(Function);
  });

  it('refuses at once who makes the queue too long, and later who waits too long', async () => {
    const queue = new RunQueueService(new InProcessUserRunLimit());
    const entered = await Promise.allSettled(Array.from({ length: 20 }, () => queue.enter('ann')));
    const refusals = entered.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals).toHaveLength(18);
    for (const refusal of refusals) expect(refusal).toMatchObject({ name: 'TooManyRunsError' });
    await expect(queue.enter('bob')).resolves.toBeInstanceOf(Function);
  });

  it('lets who is cancelled go, and others of the user wait in that place', async () => {
    const queue = new RunQueueService(new InProcessUserRunLimit());
    const [release] = await Promise.all([queue.enter('ann'), queue.enter('ann')]);
    const cancel = new AbortController();
    const waiting = [1, 2, 3, 4].map(() => queue.enter('ann', cancel.signal));
    await expect(queue.enter('ann')).rejects.toMatchObject({ name: 'TooManyRunsError' });
    cancel.abort();
    for (const one of waiting) {
      await expect(one).rejects.toMatchObject({ name: 'CodeCancelledError' });
    }
    const next = queue.enter('ann');
    await release();
    await expect(next).resolves.toBeInstanceOf(Function);
    const late = queue.enter('bob', cancel.signal);
    await expect(late).rejects.toMatchObject({ name: 'CodeCancelledError' });
  });

  it('says that nothing can run while runs cannot be counted', async () => {
    const queue = new RunQueueService(new BrokenLimit());
    await expect(queue.enter('ann')).rejects.toMatchObject({ name: 'RunsUnavailableError' });
  });

  it('leaves no run counted whose answer was lost', async () => {
    const limit = new DeafLimit();
    const queue = new RunQueueService(limit);
    for (let call = 0; call < 3; call += 1) await queue.enter('ann').catch(() => undefined);
    limit.answers = true;
    expect(await limit.acquire('ann', 'next', 1_000)).toBe(true);
  });

  it('keeps the result of a run whose end cannot be announced', async () => {
    const release = await new RunQueueService(new ForgetfulLimit()).enter('ann');
    await expect(release()).resolves.toBeUndefined();
  });
});
