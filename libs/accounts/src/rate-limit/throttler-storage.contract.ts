import { randomUUID } from 'node:crypto';
import type { ThrottlerStorage } from '@nestjs/throttler';

const MINUTE = 60_000;

/** What every ThrottlerStorage promises here; `storages` are replicas that share one state. */
export function describeThrottlerStorage(storages: () => readonly ThrottlerStorage[]) {
  const visit = (n: number, visitor: string, limit: number, periodMs = MINUTE) => {
    const replicas = storages();
    const storage = replicas[n % replicas.length] as ThrottlerStorage;
    return storage.increment(visitor, periodMs, limit, periodMs, 'default');
  };

  it('counts each visitor alone', async () => {
    const [ann, eve] = [randomUUID(), randomUUID()];
    expect(await visit(0, ann, 5)).toMatchObject({ totalHits: 1, isBlocked: false });
    expect(await visit(1, ann, 5)).toMatchObject({ totalHits: 2, isBlocked: false });
    expect(await visit(0, eve, 5)).toMatchObject({ totalHits: 1, isBlocked: false });
  });

  it('admits exactly the limit of 64 parallel visits', async () => {
    const visitor = randomUUID();
    const visits = Array.from({ length: 64 }, (_, n) => visit(n, visitor, 10));
    const records = await Promise.all(visits);
    expect(records.filter(({ isBlocked }) => !isBlocked)).toHaveLength(10);
  });

  it('a refused visit does not prolong the window, and a new one begins after it', async () => {
    const visitor = randomUUID();
    const isBlocked = async () => (await visit(0, visitor, 1, 40)).isBlocked;
    let blocked = false;
    while (!blocked) blocked = await isBlocked();
    while (blocked) blocked = await isBlocked();
    expect(blocked).toBe(false);
  });

  it('tells how long the window lasts, in seconds', async () => {
    const { timeToExpire } = await visit(0, randomUUID(), 1);
    expect(timeToExpire).toBeGreaterThan(50);
    expect(timeToExpire).toBeLessThanOrEqual(60);
  });
}
