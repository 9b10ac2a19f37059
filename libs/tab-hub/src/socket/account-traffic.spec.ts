import { AccountTraffic } from './account-traffic.js';

const FRAME = 64 * 1024;
const A_SECOND = 32;

describe('AccountTraffic', () => {
  let now: number;
  let traffic: AccountTraffic;

  const passed = (userId: string, frames: number) =>
    Array.from({ length: frames }, () => traffic.take(userId, FRAME)).filter(Boolean).length;

  beforeEach(() => {
    now = 5000;
    traffic = new AccountTraffic(() => now);
  });

  it('lets 2 MiB through at once, then 2 MiB a second, of each account', () => {
    expect(passed('ann', 100)).toBe(A_SECOND);
    expect(passed('bob', 100)).toBe(A_SECOND);
    now += 250;
    expect(passed('ann', 100)).toBe(A_SECOND / 4);
    now += 60_000;
    expect(passed('ann', 100)).toBe(A_SECOND);
  });

  it('never lets more than that through, however it is asked', () => {
    let frames = 0;
    for (let ms = 0; ms < 10_000; ms += 5) {
      now += 5;
      frames += passed('ann', 3);
    }
    expect(frames).toBeLessThanOrEqual(11 * A_SECOND);
    expect(frames).toBeGreaterThanOrEqual(10 * A_SECOND);
  });

  it('lets a small frame through where a large one has to wait', () => {
    passed('ann', A_SECOND);
    now += 10;
    expect(traffic.take('ann', FRAME)).toBe(false);
    expect(traffic.take('ann', 1000)).toBe(true);
  });
});
