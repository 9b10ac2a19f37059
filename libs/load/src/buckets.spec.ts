import { Buckets } from './buckets.js';

const FRAME = 64 * 1024;
const A_SECOND = 32;
const FLOW = A_SECOND * FRAME;

describe('Buckets', () => {
  let now: number;
  let buckets: Buckets;

  const passed = (key: string, frames: number) =>
    Array.from({ length: frames }, () => buckets.take(key, FRAME)).filter(Boolean).length;

  beforeEach(() => {
    now = 5000;
    buckets = new Buckets({ atOnce: FLOW, perSecond: FLOW }, () => now);
  });

  it('let so much through at once, then what flows in, of each', () => {
    expect(passed('ann', 100)).toBe(A_SECOND);
    expect(passed('bob', 100)).toBe(A_SECOND);
    now += 250;
    expect(passed('ann', 100)).toBe(A_SECOND / 4);
    now += 60_000;
    expect(passed('ann', 100)).toBe(A_SECOND);
  });

  it('never let more than that through, however they are asked', () => {
    let frames = 0;
    for (let ms = 0; ms < 10_000; ms += 5) {
      now += 5;
      frames += passed('ann', 3);
    }
    expect(frames).toBeLessThanOrEqual(11 * A_SECOND);
    expect(frames).toBeGreaterThanOrEqual(10 * A_SECOND);
  });

  it('let little through where much has to wait', () => {
    passed('ann', A_SECOND);
    now += 10;
    expect(buckets.take('ann', FRAME)).toBe(false);
    expect(buckets.take('ann', 1000)).toBe(true);
  });

  it('tell who takes more than there is how long to wait, and remember it', () => {
    expect(buckets.owe('ann', FLOW)).toBe(0);
    expect(buckets.owe('ann', FLOW)).toBe(1000);
    expect(buckets.owe('bob', FRAME)).toBe(0);
    now += 500;
    expect(buckets.owe('ann', 0)).toBe(500);
    expect(buckets.take('ann', 1)).toBe(false);
    now += 501;
    expect(buckets.owe('ann', 0)).toBe(0);
  });
});
