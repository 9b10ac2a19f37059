import { Logger } from '@nestjs/common';
import { InProcessRunSlots } from './user-run-limit.in-process.js';
import { RunSlots } from './user-run-limit.js';
import { SlotLineService } from './run-queue.service.js';

class BrokenSlots extends RunSlots {
  override take() {
    return Promise.reject(new Error('down'));
  }
  override release() {
    return Promise.reject(new Error('down'));
  }
}

/** Takes a slot, and loses the answer. */
class DeafSlots extends InProcessRunSlots {
  answers = false;

  override async take(userId: string, holder: string, maxHoldMs: number) {
    const taken = await super.take(userId, holder, maxHoldMs);
    if (!this.answers) throw new Error('no answer');
    return taken;
  }
}

class ForgetfulSlots extends InProcessRunSlots {
  override release() {
    return Promise.reject(new Error('down'));
  }
}

describe('the line for slots', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('lets two in, and the third when one of them leaves', async () => {
    const line = new SlotLineService(new InProcessRunSlots());
    const [leaveFirst, leaveSecond] = await Promise.all([line.enter('ann'), line.enter('ann')]);
    const third = line.enter('ann');
    await leaveFirst?.();
    const leaveThird = await third;
    expect([leaveFirst, leaveSecond, leaveThird]).not.toContain(undefined);
  });

  it('sends away who is one too many in line, and later who waits too long', async () => {
    const line = new SlotLineService(new InProcessRunSlots());
    const entered = await Promise.all(Array.from({ length: 20 }, () => line.enter('ann')));
    expect(entered.filter((leave) => leave === undefined)).toHaveLength(18);
    expect(await line.enter('bob')).toBeDefined();
  });

  it('says that nothing can run while the slots cannot be counted', async () => {
    const line = new SlotLineService(new BrokenSlots());
    await expect(line.enter('ann')).rejects.toMatchObject({ name: 'RunsUnavailableError' });
  });

  it('leaves no slot taken whose answer was lost', async () => {
    const slots = new DeafSlots();
    const line = new SlotLineService(slots);
    for (let call = 0; call < 3; call += 1) await line.enter('ann').catch(() => undefined);
    slots.answers = true;
    expect(await slots.take('ann', 'next', 1_000)).toBe(true);
  });

  it('does not spoil a run whose slot cannot be given back', async () => {
    const leave = await new SlotLineService(new ForgetfulSlots()).enter('ann');
    await expect(leave?.()).resolves.toBeUndefined();
  });
});
