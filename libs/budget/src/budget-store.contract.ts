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

/** What a BudgetStore must do that counts for connections too; one that has the default of the port need not. */
export function describeBudgetsOfConnections(open: () => Promise<OpenBudgetStores>) {
  let opened: OpenBudgetStores;
  let store: BudgetStore;
  let other: BudgetStore;
  let user: string;
  let app: string;
  let users = 0;

  beforeAll(async () => {
    opened = await open();
    [store, other] = opened.stores;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    user = `owner-${++users}`;
    app = `app-of-${user}`;
  });

  const limited = (dailyCredits: number | null, id = app) => ({ id, dailyCredits });
  const usedBy = async (id = app, day = TODAY) => (await other.usedBy([id], day)).get(id) ?? 0;
  const used = async (day = TODAY) => (await other.read(user, day)).used;
  const OF_ACCOUNT = { limitedBy: 'account' };
  const OF_CONNECTION = { limitedBy: 'connection' };

  it('count what a connection used, beside its account, where it has no limit too', async () => {
    const charge = (by: BudgetStore, id: string | undefined, amount: number) =>
      by.reserveWithin(limited(null, id), user, TODAY, amount, 10);
    expect(await usedBy()).toBe(0);
    expect(await charge(store, app, 3)).toEqual({ day: TODAY });
    expect(await charge(other, app, 1)).toEqual({ day: TODAY });
    expect(await charge(store, `${app} too`, 2)).toEqual({ day: TODAY });
    await store.reserve(user, TODAY, 1, 10);
    expect(await used()).toBe(7);
    const ids = [app, `${app} too`, `${app} never`];
    const counted = await store.usedBy(ids, TODAY);
    expect(ids.map((id) => counted.get(id) ?? 0)).toEqual([4, 2, 0]);
    expect((await store.usedBy([], TODAY)).size).toBe(0);
  });

  it.each([0, 4, 5, null])(
    'charge neither where the account has no room, with %p of 5',
    async (dailyCredits) => {
      await store.reserve(user, TODAY, 6, 10);
      const refused = store.reserveWithin(limited(dailyCredits), user, TODAY, 5, 10);
      await expect(refused).resolves.toEqual(OF_ACCOUNT);
      expect([await used(), await usedBy()]).toEqual([6, 0]);
    },
  );

  it('charge neither where the connection has no room', async () => {
    const charge = (amount: number, dailyCredits: number) =>
      store.reserveWithin(limited(dailyCredits), user, TODAY, amount, 10);
    expect(await charge(5, 4)).toEqual(OF_CONNECTION);
    expect(await charge(1, 0)).toEqual(OF_CONNECTION);
    expect([await used(), await usedBy()]).toEqual([0, 0]);
    expect(await charge(3, 4)).toEqual({ day: TODAY });
    expect(await charge(2, 4)).toEqual(OF_CONNECTION);
    expect(await charge(1, 2)).toEqual(OF_CONNECTION);
    expect(await charge(1, 4)).toEqual({ day: TODAY });
    expect([await used(), await usedBy()]).toEqual([4, 4]);
    expect(await charge(11, 20)).toEqual(OF_ACCOUNT);
    expect(await charge(6, 20)).toEqual({ day: TODAY });
    expect([await used(), await usedBy()]).toEqual([10, 10]);
  });

  it('give back to both, never below zero, and make room again', async () => {
    const charge = (amount: number) => store.reserveWithin(limited(6), user, TODAY, amount, 10);
    await store.reserve(user, TODAY, 1, 10);
    await charge(6);
    await other.giveBackWithin(app, user, TODAY, 2);
    expect([await used(), await usedBy()]).toEqual([5, 4]);
    expect(await charge(3)).toEqual(OF_CONNECTION);
    expect(await charge(2)).toEqual({ day: TODAY });
    await other.giveBackWithin(app, user, TODAY, 9);
    await store.giveBackWithin(`${app} never`, user, TODAY, 9);
    expect([await used(), await usedBy()]).toEqual([0, 0]);
  });

  it('keep what a connection used when the budget of its account is reset', async () => {
    await store.reserveWithin(limited(5), user, TODAY, 5, 5);
    await store.reset(user, TODAY);
    expect([await used(), await usedBy()]).toEqual([0, 5]);
    expect(await store.reserveWithin(limited(5), user, TODAY, 1, 5)).toEqual(OF_CONNECTION);
    expect(await store.reserveWithin(limited(6), user, TODAY, 1, 5)).toEqual({ day: TODAY });
  });

  it('begin every day with all of it, and give nothing of one day back to another', async () => {
    const charge = (day: string) => store.reserveWithin(limited(4), user, day, 4, 10);
    expect(await charge(TODAY)).toEqual({ day: TODAY });
    expect(await usedBy(app, TOMORROW)).toBe(0);
    expect(await charge(TOMORROW)).toEqual({ day: TOMORROW });
    await other.giveBackWithin(app, user, TODAY, 4);
    expect([await used(TOMORROW), await usedBy(app, TOMORROW)]).toEqual([4, 4]);
    expect(await charge(TOMORROW)).toEqual(OF_CONNECTION);
  });

  it('count on the later day that the account is on, when a caller is behind', async () => {
    const charge = (day: string, id = app) => store.reserveWithin(limited(4, id), user, day, 4, 10);
    expect(await charge(TODAY)).toEqual({ day: TODAY });
    await other.reserve(user, TOMORROW, 1, 10);
    expect(await charge(TODAY)).toEqual({ day: TOMORROW });
    expect([await usedBy(app, TODAY), await usedBy(app, TOMORROW)]).toEqual([4, 4]);
    expect(await charge(TODAY)).toEqual(OF_CONNECTION);
    expect(await charge(TODAY, `${app} too`)).toEqual({ day: TOMORROW });
    expect([await used(TODAY), await used(TOMORROW)]).toEqual([9, 9]);
  });

  /** 64 charges at once at both stores, each of two connections of the account half of them. */
  const charge64 = (limits: readonly [number | null, number | null], limit: number) =>
    Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const [by, which] = [n % 2 === 0 ? store : other, n % 4 < 2 ? 0 : 1];
        const connection = limited(limits[which] ?? null, `${app} ${which}`);
        const outcome = await by.reserveWithin(connection, user, TODAY, 1, limit);
        return { which, outcome: 'day' in outcome ? outcome.day : outcome.limitedBy };
      }),
    );

  it.each([
    { what: 'of the connections', limits: [20, 7] as const, limit: 40, charged: [20, 7] },
    { what: 'of one connection', limits: [9, null] as const, limit: 100, charged: [9, 32] },
  ])('never pass the limits $what in parallel', async ({ limits, limit, charged }) => {
    const outcomes = await charge64(limits, limit);
    for (const which of [0, 1]) {
      const own = outcomes.filter((one) => one.which === which).map(({ outcome }) => outcome);
      expect(own.filter((outcome) => outcome === TODAY)).toHaveLength(charged[which] ?? 0);
      expect(own.filter((outcome) => outcome === 'account')).toEqual([]);
      expect(await usedBy(`${app} ${which}`)).toBe(charged[which]);
    }
    expect(await used()).toBe(charged.reduce((sum, credits) => sum + credits, 0));
  });

  it('never pass any of three limits in parallel, and count alike for all', async () => {
    const outcomes = await charge64([25, 5], 24);
    const won = outcomes.filter(({ outcome }) => outcome === TODAY);
    expect(won).toHaveLength(24);
    const each = [0, 1].map((which) => won.filter((one) => one.which === which).length);
    expect(await Promise.all([usedBy(`${app} 0`), usedBy(`${app} 1`)])).toEqual(each);
    expect(each[1]).toBeLessThanOrEqual(5);
    expect(await used()).toBe(24);
  });

  it('count exactly what was granted in parallel, with what was given back', async () => {
    const attempt = async (_: unknown, index: number) => {
      const [reserving, giving] = index % 2 === 0 ? [store, other] : [other, store];
      const amount = (index % 7) + 1;
      const connection = limited(index % 3 === 0 ? null : 30);
      const outcome = await reserving.reserveWithin(connection, user, TODAY, amount, 60);
      expect(await usedBy()).toBeLessThanOrEqual(60);
      if (!('day' in outcome)) return 0;
      const back = index % (amount + 1);
      if (back > 0) await giving.giveBackWithin(app, user, TODAY, back);
      return amount - back;
    };
    const spent = await Promise.all(Array.from({ length: 64 }, attempt));
    const sum = spent.reduce((total, credits) => total + credits, 0);
    expect(sum).toBeLessThanOrEqual(60);
    expect([await used(), await usedBy()]).toEqual([sum, sum]);
  });

  it('count exactly up to the largest safe integer', async () => {
    const limit = Number.MAX_SAFE_INTEGER;
    const charge = (amount: number) =>
      store.reserveWithin(limited(limit - 1), user, TODAY, amount, limit);
    expect(await charge(limit - 2)).toEqual({ day: TODAY });
    expect(await charge(3)).toEqual(OF_ACCOUNT);
    expect(await charge(2)).toEqual(OF_CONNECTION);
    await other.giveBackWithin(app, user, TODAY, 1);
    expect(await charge(2)).toEqual({ day: TODAY });
    expect(await charge(1)).toEqual(OF_CONNECTION);
    expect([await used(), await usedBy()]).toEqual([limit - 1, limit - 1]);
  });
}
