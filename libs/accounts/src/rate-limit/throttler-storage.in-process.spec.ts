import { describeThrottlerStorage } from './throttler-storage.contract.js';
import { InProcessThrottlerStorage } from './throttler-storage.in-process.js';

describe('ThrottlerStorage in this process', () => {
  const storage = new InProcessThrottlerStorage();
  describeThrottlerStorage(() => [storage]);

  it.each([
    ['holds no more visitors than its bound: the oldest window goes first', 'abcd'],
    ['forgets the oldest window even of a visitor who has just been here', 'abcad'],
  ])('%s', async (_promise, visitors) => {
    const small = new InProcessThrottlerStorage(3);
    const visit = (visitor: string) => small.increment(visitor, 60_000, 10);
    for (const visitor of visitors) await visit(visitor);
    expect((await visit('d')).totalHits).toBe(2);
    expect((await visit('c')).totalHits).toBe(2);
    expect((await visit('a')).totalHits).toBe(1);
  });
});
