import { describeRateLimiter } from './rate-limiter.contract.js';
import { InProcessRateLimiter } from './rate-limiter.js';

describe('RateLimiter in this process', () => {
  const limiter = new InProcessRateLimiter();
  describeRateLimiter(() => [limiter]);

  it.each([
    ['holds no more windows than its bound: the oldest goes first', 'abcd'],
    ['forgets the oldest window even where it has just been used', 'abcad'],
  ])('%s', (_promise, keys) => {
    const small = new InProcessRateLimiter({ maxWindows: 3 });
    const take = (key: string) => small.take([{ key, limit: 10, periodMs: 60_000 }]).used;
    for (const key of keys) take(key);
    expect(take('d')).toBe(2);
    expect(take('c')).toBe(2);
    expect(take('a')).toBe(1);
  });

  it('says whether there is room, without counting', () => {
    const small = new InProcessRateLimiter({ maxWindows: 2 });
    const window = (key: string) => ({ key, limit: 2, periodMs: 60_000 });
    small.take([window('a')]);
    for (let n = 0; n < 5; n += 1) expect(small.hasRoom([window('b'), window('a')])).toBe(true);
    small.take([window('a')]);
    expect(small.hasRoom([window('b'), window('a')])).toBe(false);
    expect(small.hasRoom([window('b')])).toBe(true);
    small.take([window('c')]);
    expect(small.hasRoom([window('a')])).toBe(false);
  });

  it('has windows of different periods, each from its first', () => {
    let now = 1_000;
    const clocked = new InProcessRateLimiter({ now: () => now });
    const brief = { key: 'brief', limit: 1, periodMs: 10 };
    const long = { key: 'long', limit: 2, periodMs: 100 };
    expect(clocked.take([brief, long]).passes).toBe(true);
    now += 9;
    expect(clocked.take([brief, long])).toMatchObject({ passes: false, at: 0, remainingMs: 1 });
    now += 1;
    expect(clocked.take([brief, long])).toMatchObject({ passes: true, remainingMs: 90 });
    now += 10;
    expect(clocked.take([brief, long])).toMatchObject({ passes: false, at: 1, remainingMs: 80 });
  });
});
