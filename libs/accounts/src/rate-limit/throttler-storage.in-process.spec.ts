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

  it('has no counter for a /64 of a /48 that is over its limit', async () => {
    const few = new InProcessThrottlerStorage(40);
    const visit = (subnet: number) =>
      few.increment(`2001:db8:1:${subnet.toString(16)}00::/64`, 60_000, 1);
    const old = await few.increment('192.0.2.1', 60_000, 10);
    for (let subnet = 0; subnet < 200; subnet += 1) await visit(subnet);
    expect(old.totalHits).toBe(1);
    expect((await few.increment('192.0.2.1', 60_000, 10)).totalHits).toBe(2);
  });
});
