import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describeBudgetLimits } from './budget-limits.contract.js';
import { BudgetLimits, SetBudgetLimits, type SetLimits } from './budget-limits.js';
import { BudgetMeter, BudgetService } from './budget.service.js';
import { budgetServiceOn, CountingStore, noOwnLimits } from './budget-service.testbed.js';
import { BudgetStore, type DayBalance } from './budget-store.js';
import { BUDGET_OPTIONS } from './budget.module-definition.js';
import { OwnLimits } from './own-limits.store.js';

class SaidLimits extends BudgetLimits {
  readonly asked: (SetLimits & { readonly userId: string })[] = [];

  constructor(public say: () => Promise<number> | number) {
    super();
  }

  override limitOf(userId: string, set: SetLimits) {
    this.asked.push({ userId, ...set });
    return this.say();
  }
}

describe('a limit that a team says', () => {
  const store = () => new CountingStore();
  const never = () => new Promise<number>(() => {});

  beforeAll(() => Logger.overrideLogger(false));

  it('counts where the budget is read and where it is charged', async () => {
    const limits = new SaidLimits(async () => 5);
    const budgets = budgetServiceOn(store(), 100, limits);
    expect(await budgets.find('ada')).toMatchObject({ used: 0, limit: 5 });
    await expect(budgets.reserve('ada', 6)).rejects.toMatchObject({ left: 5 });
    await budgets.reserve('ada', 5);
    const set = { userId: 'ada', own: undefined, defaultLimit: 100 };
    expect(limits.asked).toEqual(limits.asked.map(() => set));
  });

  it('is asked with the limit that an administrator has set, and decides', async () => {
    const own = { find: async () => 7 } as unknown as OwnLimits;
    const limits = new SaidLimits(() => 5);
    const counting = store();
    const budgets = budgetServiceOn(counting, 100, limits, own);
    const reads: Pick<DayBalance, 'ownLimit'>[] = [{}, { ownLimit: null }, { ownLimit: 3 }];
    for (const read of reads) {
      counting.read = async (_userId, day) => ({ day, used: 0, ...read });
      expect(await budgets.read('ada')).toMatchObject({ limit: 5 });
    }
    expect(limits.asked.map((set) => set.own)).toEqual([7, undefined, 3]);
  });

  it('that goes down meanwhile counts from the next charge on: what is unused comes back', async () => {
    const limits = new SaidLimits(() => 10);
    const budgets = budgetServiceOn(store(), 100, limits);
    const reservation = await budgets.reserve('ada', 8);
    limits.say = () => 4;
    expect(await budgets.read('ada')).toMatchObject({ used: 8, limit: 4 });
    await expect(budgets.reserve('ada', 1)).rejects.toMatchObject({ left: 0 });
    await budgets.settle(reservation, 1);
    expect(await budgets.read('ada')).toMatchObject({ used: 1, limit: 4 });
    await budgets.reserve('ada', 3);
    await expect(budgets.reserve('ada', 1)).rejects.toMatchObject({ left: 0 });
  });

  it('that differs from call to call is passed by none of many at once', async () => {
    const counted = store();
    let calls = 0;
    const limits = new SaidLimits(async () => {
      const limit = calls++ % 2 === 0 ? 10 : 20;
      await sleep(limit % 3);
      return limit;
    });
    const budgets = budgetServiceOn(counted, 100, limits);
    const charges = Array.from({ length: 64 }, () => budgets.reserve('ada', 1));
    const granted = (await Promise.allSettled(charges)).filter(
      ({ status }) => status === 'fulfilled',
    );
    expect(granted).toHaveLength(20);
    expect(counted.used).toBe(20);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no plan');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no plan'))],
    ['never answers', never],
    ['says a fraction', () => 1.5],
    ['says less than nothing', () => -1],
    ['says what is no number', () => Number.NaN],
    ['says too much', async () => Infinity],
    ['says a text', () => '10' as unknown as number],
    ['says nothing', () => undefined as unknown as number],
  ])('is unknown, and nothing is charged, where it %s', async (_what, say) => {
    const counted = store();
    const budgets = budgetServiceOn(counted, 100, new SaidLimits(say));
    expect(await budgets.find('ada')).toBeUndefined();
    await expect(budgets.read('ada')).rejects.toMatchObject({ name: 'LimitUnknownError' });
    const refused = await budgets.reserve('ada', 1).catch((error: unknown) => String(error));
    expect(refused).toMatch(/^LimitUnknownError: SaidLimits /);
    expect(counted.used).toBe(0);
  });

  it('is waited for by all who ask at once together, a second', async () => {
    const budgets = budgetServiceOn(store(), 100, new SaidLimits(never));
    const began = performance.now();
    const found = await Promise.all(Array.from({ length: 64 }, () => budgets.find('ada')));
    expect(found.filter((balance) => balance !== undefined)).toEqual([]);
    expect(performance.now() - began).toBeGreaterThan(900);
  });
});

describe('the meter of budgets', () => {
  class Sums extends BudgetMeter {
    readonly told: (string | number)[] = [];
    override reserved = (credits: number) => void this.told.push('reserved', credits);
    override returned = (credits: number) => void this.told.push('returned', credits);
    override refused = () => void this.told.push('refused');
    override failed = () => void this.told.push('failed');
  }

  class FullStore extends CountingStore {
    private full = () => Promise.reject(new Error('OOM command not allowed'));
    override read = this.full;
    override reset = this.full;
    override reserve = this.full;
    override giveBack = this.full;
  }

  const metered = (meter: BudgetMeter, store: new () => BudgetStore) =>
    Test.createTestingModule({
      providers: [
        BudgetService,
        { provide: BUDGET_OPTIONS, useValue: { dailyLimit: 10 } },
        { provide: BudgetLimits, useValue: new SaidLimits(() => 10) },
        { provide: BudgetMeter, useValue: meter },
        { provide: BudgetStore, useClass: store },
        { provide: OwnLimits, useFactory: noOwnLimits },
      ],
    }).compile();

  it('counts operations that fail in the store', async () => {
    const meter = new Sums();
    const module = await metered(meter, FullStore);
    const budgets = module.get(BudgetService);
    expect(await budgets.find('ada')).toBeUndefined();
    const attempts = [
      budgets.reserve('ada', 1),
      budgets.reset('ada'),
      budgets.settle({ userId: 'ada', day: '2026-01-01', amount: 2 }, 1),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('OOM');
    expect(meter.told).toEqual(['failed', 'failed', 'failed', 'failed']);
    await module.close();
  });

  it('counts credits that are reserved and returned, in every store', async () => {
    const meter = new Sums();
    const module = await metered(meter, CountingStore);
    const budgets = module.get(BudgetService);
    await budgets.settle(await budgets.reserve('ada', 8), 3);
    await budgets.settle(await budgets.reserve('ada', 2), 2);
    await expect(budgets.reserve('ada', 9)).rejects.toThrow();
    expect(meter.told).toEqual(['reserved', 8, 'returned', 5, 'reserved', 2, 'refused']);
    await module.close();
  });
});

describe('SetBudgetLimits', () => {
  const limits = new SetBudgetLimits();

  describeBudgetLimits(() => limits, ['ada']);

  it('goes by what was set for the account before what was set for all accounts', () => {
    expect(limits.limitOf('ada', { own: 0, defaultLimit: 9 })).toBe(0);
    expect(limits.limitOf('ada', { own: undefined, defaultLimit: 9 })).toBe(9);
  });
});
