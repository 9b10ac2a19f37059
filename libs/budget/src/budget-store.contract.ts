import { budgetDay, DAY_MS } from './budget.js';
import type { BudgetStore } from './budget-store.js';

export interface OpenBudgetStores {
  /** Two stores of the same data, each with a connection of its own. */
  readonly stores: readonly [BudgetStore, BudgetStore];
  close(): Promise<void>;
}

const TODAY = budgetDay(new Date());
const TOMORROW = budgetDay(new Date(Date.now() + DAY_MS));

/** What every BudgetStore must do; each adapter's spec runs it. */
export function describeBudgetStore(open: () => Promise<OpenBudgetStores>) {
  let opened: OpenBudgetStores;
  let store: BudgetStore;
  let other: BudgetStore;
  let user: string;
  let users = 0;

  beforeAll(async () => {
    opened = await open();
    [store, other] = opened.stores;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    user = `user-${++users}`;
  });

  it('knows nothing of a user who never spent', async () => {
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
  });

  it('adds up what is reserved and shows it on every connection', async () => {
    await expect(store.reserve(user, TODAY, 3, 10)).resolves.toBe(TODAY);
    await expect(other.reserve(user, TODAY, 4, 10)).resolves.toBe(TODAY);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 7 });
    await expect(other.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 7 });
  });

  it('reserves up to the limit and not one more', async () => {
    await expect(store.reserve(user, TODAY, 6, 10)).resolves.toBe(TODAY);
    await expect(store.reserve(user, TODAY, 5, 10)).resolves.toBeUndefined();
    await expect(store.reserve(user, TODAY, 4, 10)).resolves.toBe(TODAY);
    await expect(store.reserve(user, TODAY, 1, 10)).resolves.toBeUndefined();
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 10 });
  });

  it('refuses a first charge above the limit and keeps no trace of it', async () => {
    await expect(store.reserve(user, TODAY, 11, 10)).resolves.toBeUndefined();
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
  });

  it('resets a day, a later one that it knows of too, and no other user', async () => {
    await store.reserve(user, TODAY, 10, 10);
    await store.reserve(`${user} too`, TODAY, 4, 10);
    await other.reset(user, TODAY);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
    await expect(store.read(`${user} too`, TODAY)).resolves.toMatchObject({ day: TODAY, used: 4 });
    await store.giveBack(user, TODAY, 10);
    await store.reserve(user, TOMORROW, 9, 10);
    await store.reset(user, TODAY);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TOMORROW, used: 0 });
  });

  it('never gives back more than was reserved when the day is reset meanwhile', async () => {
    const reserve = () => store.reserve(user, TODAY, 1, 20);
    const work = Array.from({ length: 20 }, async () => {
      await reserve();
      await other.giveBack(user, TODAY, 1);
    });
    await Promise.all([...work, store.reset(user, TODAY), other.reset(user, TODAY)]);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
  });

  it('goes by the limit of the call', async () => {
    await store.reserve(user, TODAY, 8, 10);
    await expect(store.reserve(user, TODAY, 1, 5)).resolves.toBeUndefined();
    await expect(store.reserve(user, TODAY, 12, 20)).resolves.toBe(TODAY);
  });

  it('keeps users apart', async () => {
    await store.reserve(`${user}:a`, TODAY, 10, 10);
    await expect(store.reserve(`${user}:b`, TODAY, 10, 10)).resolves.toBe(TODAY);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
  });

  it('begins every day with all of it', async () => {
    await store.reserve(user, TODAY, 10, 10);
    await expect(store.read(user, TOMORROW)).resolves.toMatchObject({ day: TOMORROW, used: 0 });
    await expect(store.reserve(user, TOMORROW, 9, 10)).resolves.toBe(TOMORROW);
    await expect(store.read(user, TOMORROW)).resolves.toMatchObject({ day: TOMORROW, used: 9 });
  });

  it('keeps the limit of the later day when a caller is behind', async () => {
    await store.reserve(user, TOMORROW, 9, 10);
    await expect(other.read(user, TODAY)).resolves.toMatchObject({ day: TOMORROW, used: 9 });
    const days = await Promise.all([
      store.reserve(user, TODAY, 1, 10),
      other.reserve(user, TODAY, 1, 10),
      store.reserve(user, TOMORROW, 1, 10),
      other.reserve(user, TOMORROW, 1, 10),
    ]);
    expect(days.filter((day) => day === TOMORROW)).toHaveLength(1);
    await expect(store.read(user, TOMORROW)).resolves.toMatchObject({ day: TOMORROW, used: 10 });
  });

  it('ignores what was charged before midnight and is given back after it', async () => {
    const limit = 10;
    const before = await store.reserve(user, TODAY, 6, limit);
    const after = await Promise.all([
      other.reserve(user, TOMORROW, 4, limit),
      other.giveBack(user, String(before), 6),
      store.reserve(user, TOMORROW, 6, limit),
    ]);
    expect([before, after[0], after[2]]).toEqual([TODAY, TOMORROW, TOMORROW]);
    await expect(store.reserve(user, TOMORROW, 1, limit)).resolves.toBeUndefined();
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TOMORROW, used: 10 });
  });

  it('never passes the limit in parallel', async () => {
    const reserving = Array.from({ length: 64 }, (_, index) =>
      (index % 2 === 0 ? store : other).reserve(user, TODAY, 1, 40),
    );
    const days = await Promise.all(reserving);
    expect(days.filter((day) => day === TODAY)).toHaveLength(40);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 40 });
  });

  it('counts exactly what was granted in parallel, with what was given back', async () => {
    const attempt = async (_: unknown, index: number) => {
      const [reserving, giving] = index % 2 === 0 ? [store, other] : [other, store];
      const amount = (index % 7) + 1;
      if (!(await reserving.reserve(user, TODAY, amount, 60))) return 0;
      const back = index % (amount + 1);
      if (back > 0) await giving.giveBack(user, TODAY, back);
      return amount - back;
    };
    const spent = await Promise.all(Array.from({ length: 64 }, attempt));
    const used = spent.reduce((sum, credits) => sum + credits, 0);
    expect(used).toBeLessThanOrEqual(60);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used });
  });

  it('makes room again for what is given back', async () => {
    await store.reserve(user, TODAY, 10, 10);
    await other.giveBack(user, TODAY, 4);
    await expect(store.reserve(user, TODAY, 5, 10)).resolves.toBeUndefined();
    await expect(store.reserve(user, TODAY, 4, 10)).resolves.toBe(TODAY);
  });

  it('never goes below zero', async () => {
    await store.giveBack(user, TODAY, 5);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
    await store.reserve(user, TODAY, 3, 10);
    await store.giveBack(user, TODAY, 5);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 0 });
    await expect(store.reserve(user, TODAY, 10, 10)).resolves.toBe(TODAY);
  });

  it('gives nothing of one day back to another', async () => {
    await store.reserve(user, TODAY, 6, 10);
    await store.reserve(user, TOMORROW, 5, 10);
    await store.giveBack(user, TODAY, 6);
    await expect(store.read(user, TOMORROW)).resolves.toMatchObject({ day: TOMORROW, used: 5 });
  });

  it('counts exactly up to the largest safe integer', async () => {
    const limit = Number.MAX_SAFE_INTEGER;
    await expect(store.reserve(user, TODAY, limit - 1, limit)).resolves.toBe(TODAY);
    await expect(store.reserve(user, TODAY, limit, limit)).resolves.toBeUndefined();
    await expect(store.reserve(user, TODAY, 1, limit)).resolves.toBe(TODAY);
    await expect(store.reserve(user, TODAY, 1, limit)).resolves.toBeUndefined();
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: limit });
    await store.giveBack(user, TODAY, limit - 2);
    await expect(store.read(user, TODAY)).resolves.toMatchObject({ day: TODAY, used: 2 });
  });
}
