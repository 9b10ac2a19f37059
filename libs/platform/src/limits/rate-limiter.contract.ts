import { randomUUID } from 'node:crypto';
import type { FixedWindow, RateLimiter } from './rate-limiter.js';

const MINUTE = 60_000;

/** What every RateLimiter promises; `replicas` are those that share one state. */
export function describeRateLimiter(replicas: () => readonly RateLimiter[]) {
  const take = async (windows: readonly FixedWindow[], amount?: number, n = 0) => {
    const limiters = replicas();
    return (limiters[n % limiters.length] as RateLimiter).take(windows, amount);
  };
  const window = (limit: number, periodMs = MINUTE) => ({ key: randomUUID(), limit, periodMs });

  it('counts each key alone', async () => {
    const [ann, eve] = [window(5), window(5)];
    expect(await take([ann])).toMatchObject({ passes: true, used: 1 });
    expect(await take([ann], 1, 1)).toMatchObject({ passes: true, used: 2 });
    expect(await take([eve])).toMatchObject({ passes: true, used: 1 });
  });

  it('lets exactly as much of 64 parallel calls pass as fits', async () => {
    for (const [limit, amount] of [
      [10, 1],
      [1_050, 100],
    ] as const) {
      const one = window(limit);
      const calls = Array.from({ length: 64 }, (_, n) => take([one], amount, n));
      expect((await Promise.all(calls)).filter(({ passes }) => passes)).toHaveLength(10);
    }
  });

  it('takes nothing for what does not fit, and the rest for what does', async () => {
    const one = window(100);
    expect(await take([one], 60)).toMatchObject({ passes: true, used: 60 });
    expect(await take([one], 41, 1)).toMatchObject({ passes: false, used: 101 });
    expect(await take([one], 40, 1)).toMatchObject({ passes: true, used: 100 });
    expect(await take([one], 1)).toMatchObject({ passes: false, used: 101 });
  });

  it('counts in all windows or in none, and says which has no room', async () => {
    const [wide, narrow, other] = [window(3), window(1), window(1)];
    expect(await take([wide, narrow])).toMatchObject({ passes: true, at: 1, used: 1 });
    for (let n = 0; n < 5; n += 1) {
      expect(await take([wide, narrow], 1, n)).toMatchObject({ passes: false, at: 1, used: 2 });
    }
    expect(await take([wide, other])).toMatchObject({ passes: true });
    expect(await take([wide])).toMatchObject({ passes: true, used: 3 });
    expect(await take([wide, window(9)])).toMatchObject({ passes: false, at: 0, used: 4 });
  });

  it('begins a new window after the period, which a refusal does not prolong', async () => {
    const brief = window(1, 40);
    let { passes } = await take([brief]);
    while (passes) ({ passes } = await take([brief]));
    while (!passes) ({ passes } = await take([brief]));
    expect(passes).toBe(true);
  });

  it('tells how long the window lasts, also one that could never have room', async () => {
    const one = window(1);
    for (const amount of [1, 1, 2]) {
      const { remainingMs } = await take([one], amount);
      expect(remainingMs).toBeGreaterThan(50_000);
      expect(remainingMs).toBeLessThanOrEqual(MINUTE);
    }
    expect(await take([window(1)], 2)).toMatchObject({ passes: false, remainingMs: MINUTE });
  });
}
