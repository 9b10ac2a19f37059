import { describeChallengeStore } from './challenge-store.contract.js';
import { InProcessChallengeStore } from './challenge-store.in-process.js';

const MINUTE = 60_000;
const issued = {
  purpose: 'register',
  origin: 'http://localhost',
  userId: 'ann',
  displayName: 'Ann',
} as const;

/** One of as many visitors as one likes, all of the same network. */
const visitorOf = (network: string, n = 0) => ({ key: `${network}-${n}`, network, limit: 300 });

describe('ChallengeStore in this process', () => {
  const store = new InProcessChallengeStore();
  describeChallengeStore(() => [store]);

  describe('when it fills up', () => {
    let small: InProcessChallengeStore;

    beforeEach(() => {
      small = new InProcessChallengeStore(100);
    });

    const put = (challenge: string, visitor: ReturnType<typeof visitorOf>) =>
      small.put(challenge, issued, MINUTE, visitor);
    const taken = async (challenge: string) => (await small.take(challenge)) !== undefined;

    it('a visitor has no more than all others have left, and loses only his own', async () => {
      await put('ann', visitorOf('ann'));
      for (let n = 0; n < 1000; n += 1) await put(`eve ${n}`, visitorOf('eve'));
      await put('bob', visitorOf('bob'));
      expect([await taken('ann'), await taken('bob')]).toEqual([true, true]);
      expect([await taken('eve 0'), await taken('eve 999')]).toEqual([false, true]);
    });

    it('so has a network, whose further visitors are refused', async () => {
      await put('ann', visitorOf('ann'));
      const flood = Array.from({ length: 1000 }, (_, n) => put(`eve ${n}`, visitorOf('eve', n)));
      const outcomes = await Promise.allSettled(flood);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
      expect(outcomes.at(-1)).toMatchObject({
        reason: { status: 503, headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
      });
      await put('bob', visitorOf('bob'));
      expect([await taken('ann'), await taken('bob'), await taken('eve 0')]).toEqual([
        true,
        true,
        true,
      ]);
    });

    it('never holds more than its capacity, and pushes out nobody else’s', async () => {
      const everybody = Array.from({ length: 300 }, (_, n) => put(`${n}`, visitorOf(`${n}`)));
      const outcomes = await Promise.allSettled(everybody);
      const kept = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [`${n}`] : []));
      expect(kept).toHaveLength(100);
      for (const challenge of kept) expect(await taken(challenge)).toBe(true);
    });

    it('has room again when challenges were taken', async () => {
      for (let n = 0; n < 100; n += 1) await put(`${n}`, visitorOf(`${n}`));
      await expect(put('ann', visitorOf('ann'))).rejects.toMatchObject({ status: 503 });
      expect(await taken('7')).toBe(true);
      await put('ann', visitorOf('ann'));
      expect(await taken('ann')).toBe(true);
    });

    it('has room again when challenges have expired', async () => {
      for (let n = 0; n < 100; n += 1) await small.put(`${n}`, issued, 1, visitorOf(`${n}`));
      const expiredAt = performance.now() + 2;
      while (performance.now() <= expiredAt) await new Promise(setImmediate);
      await put('ann', visitorOf('ann'));
      expect(await taken('ann')).toBe(true);
    });
  });
});
