import { setImmediate as turn } from 'node:timers/promises';
import { ReadBatch } from './read-batch.js';

type Found = Promise<ReadonlyMap<string, string>>;

describe('reads of the same turn', () => {
  const stored = new Map<string, string>();
  const readAll = jest.fn<Found, [readonly string[]]>();
  let batch: ReadBatch<string>;

  beforeEach(() => {
    stored.clear();
    readAll.mockReset().mockImplementation(async () => new Map(stored));
    batch = new ReadBatch(readAll);
  });

  it('are one, and each gets what is its own', async () => {
    stored.set('a', 'A').set('b', 'B');
    const asked = ['a', 'b', 'c', 'a'];
    expect(await Promise.all(asked.map((key) => batch.find(key)))).toEqual([
      'A',
      'B',
      undefined,
      'A',
    ]);
    expect(readAll.mock.calls).toEqual([[['a', 'b', 'c']]]);
  });

  it('see what was written before they began: none joins a read that is under way', async () => {
    const answer = Promise.withResolvers<void>();
    readAll.mockImplementationOnce(async () => {
      const seen = new Map(stored);
      await answer.promise;
      return seen;
    });
    const before = batch.find('a');
    await turn();
    expect(readAll).toHaveBeenCalledTimes(1);
    stored.set('a', 'A');
    const after = batch.find('a');
    answer.resolve();
    expect([await before, await after]).toEqual([undefined, 'A']);
  });

  it('fail together, and nobody else does', async () => {
    readAll.mockRejectedValueOnce(new Error('away'));
    const failed = await Promise.allSettled(['a', 'b'].map((key) => batch.find(key)));
    expect(failed).toMatchObject([
      { reason: { message: 'away' } },
      { reason: { message: 'away' } },
    ]);
    stored.set('a', 'A');
    expect(await batch.find('a')).toBe('A');
  });

  it('are several where there are more than a hundred', async () => {
    const keys = Array.from({ length: 250 }, (_, n) => `${n}`);
    for (const key of keys) stored.set(key, `of ${key}`);
    const found = await Promise.all(keys.map((key) => batch.find(key)));
    expect(found).toEqual(keys.map((key) => `of ${key}`));
    expect(readAll.mock.calls.map(([some]) => some.length)).toEqual([100, 100, 50]);
  });
});
