import { describeVisitWindows } from './throttler-storage.contract.js';
import { InProcessVisitWindows } from './throttler-storage.in-process.js';

describe('visit windows in this process', () => {
  const windows = new InProcessVisitWindows();
  describeVisitWindows(() => [windows]);

  it('holds no more visitors than its bound: the oldest window goes first', async () => {
    const small = new InProcessVisitWindows(3);
    const visit = (visitor: string) => small.increment(visitor, 60_000, 10);
    for (const visitor of ['a', 'b', 'c', 'd']) await visit(visitor);
    expect((await visit('d')).totalHits).toBe(2);
    expect((await visit('c')).totalHits).toBe(2);
    expect((await visit('a')).totalHits).toBe(1);
  });
});
