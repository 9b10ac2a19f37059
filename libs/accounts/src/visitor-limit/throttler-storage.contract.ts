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

  describe('of IPv6', () => {
    /** A visitor in its own /48, in the form of visitorKey. */
    const newSite = () => {
      const [one, other] = randomUUID().split('-').slice(1, 3);
      return `2001:${one}:${other}`;
    };
    const admitted = async (visitors: string[], limit: number) => {
      const records = await Promise.all(visitors.map((visitor, n) => visit(n, visitor, limit)));
      return records.filter(({ isBlocked }) => !isBlocked).length;
    };
    const many = (count: number, key: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => key(n));
    const hex = (n: number) => n.toString(16);

    it('admits exactly four times the limit of a /56, however many /64 it is', async () => {
      const site = newSite();
      expect(
        await admitted(
          many(64, (n) => `${site}:ab${hex(n % 16)}0::/64`),
          5,
        ),
      ).toBe(20);
      expect(await admitted([`${site}:abff::/64`], 5)).toBe(0);
      expect(await admitted([`${site}:ac00::/64`], 5)).toBe(1);
    });

    it('admits exactly sixteen times the limit of a /48, however many /56 it is', async () => {
      const site = newSite();
      expect(
        await admitted(
          many(128, (n) => `${site}:${hex(n)}00::/64`),
          4,
        ),
      ).toBe(64);
      expect(await admitted([`${site}:ffff::/64`], 4)).toBe(0);
      expect(await admitted([`${newSite()}:ffff::/64`], 4)).toBe(1);
    });

    it('a visitor who is refused uses up nothing of his neighbours', async () => {
      const site = newSite();
      expect(
        await admitted(
          many(128, () => `${site}:1::/64`),
          2,
        ),
      ).toBe(2);
      expect(
        await admitted(
          many(128, (n) => `${site}:${hex(n % 64)}::/64`),
          2,
        ),
      ).toBe(6);
      expect(
        await admitted(
          many(128, (n) => `${site}:${hex(n)}00::/64`),
          2,
        ),
      ).toBe(24);
    });
  });

  it('tells how long the window lasts, in seconds', async () => {
    const { timeToExpire } = await visit(0, randomUUID(), 1);
    expect(timeToExpire).toBeGreaterThan(50);
    expect(timeToExpire).toBeLessThanOrEqual(60);
  });
}
