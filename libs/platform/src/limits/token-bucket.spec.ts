import { TokenBucket, TokenBuckets } from './token-bucket.js';

const FRAME = 64 * 1024;
const A_SECOND = 32;
const FLOW = A_SECOND * FRAME;

describe('TokenBuckets', () => {
  let now: number;
  let buckets: TokenBuckets;

  const passed = (key: string, frames: number) =>
    Array.from({ length: frames }, () => buckets.of(key).take(FRAME)).filter(Boolean).length;

  beforeEach(() => {
    now = 5000;
    buckets = new TokenBuckets({ atOnce: FLOW, perSecond: FLOW }, () => now);
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
    expect(buckets.of('ann').take(FRAME)).toBe(false);
    expect(buckets.of('ann').take(1000)).toBe(true);
  });

  it('tell who takes more than there is how long to wait, and remember it', () => {
    expect(buckets.of('ann').owe(FLOW)).toBe(0);
    expect(buckets.of('ann').owe(FLOW)).toBe(1000);
    expect(buckets.of('bob').owe(FRAME)).toBe(0);
    now += 500;
    expect(buckets.of('ann').owe(0)).toBe(500);
    expect(buckets.of('ann').take(1)).toBe(false);
    now += 501;
    expect(buckets.of('ann').owe(0)).toBe(0);
  });
});

describe('TokenBucket', () => {
  it('is full at first, and again when as much has flowed in as was taken', () => {
    let now = 1_000;
    const bucket = new TokenBucket({ atOnce: 100, perSecond: 50 }, () => now);
    expect(bucket.isFull).toBe(true);
    expect(bucket.take(100)).toBe(true);
    now += 1_999;
    expect(bucket.isFull).toBe(false);
    now += 1;
    expect(bucket.isFull).toBe(true);
    now += 60_000;
    expect([bucket.take(101), bucket.take(100), bucket.take(1)]).toEqual([false, true, false]);
  });

  it('is full at first by the clock of the process', () => {
    expect(new TokenBucket({ atOnce: 100, perSecond: 50 }).isFull).toBe(true);
  });

  it('owes what it holds at most', () => {
    const bucket = new TokenBucket({ atOnce: 100, perSecond: 50 }, () => 1_000);
    expect([bucket.owe(150), bucket.owe(1_000), bucket.owe(1)]).toEqual([1_000, 2_000, 2_000]);
  });
});
