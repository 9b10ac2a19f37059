import { randomUUID } from 'node:crypto';
import type { Visitor } from '#libs/accounts';
import type { Challenge, ChallengeStore } from './challenge.store.js';

const MINUTE = 60_000;
const issued: Challenge = {
  purpose: 'register',
  origin: 'http://localhost',
  userId: 'ann',
  displayName: 'Ann \u{1f600}',
  inviteHash: 'h'.repeat(43),
};

/** A visitor without challenges. */
const newVisitor = (limit = 300): Visitor => {
  const key = randomUUID();
  return { key, network: key, limit };
};

/** Visitor `n` of one network. */
const visitorOf = (network: string, n = 0) => ({ key: `${network}-${n}`, network, limit: 300 });

/** What every ChallengeStore promises; `stores` are replicas that share one state. */
export function describeChallengeStore(stores: () => readonly ChallengeStore[]) {
  const one = () => stores()[0] as ChallengeStore;
  const at = (n: number) => stores()[n % stores().length] as ChallengeStore;
  const put = async (visitor: Visitor, replica = 0, lifetimeMs = MINUTE) => {
    const challenge = randomUUID();
    await at(replica).put(challenge, issued, lifetimeMs, visitor);
    return challenge;
  };
  /** Those of the challenges that are still stored. */
  const there = async (challenges: readonly string[]) => {
    const found = await Promise.all(challenges.map((challenge) => one().take(challenge)));
    return found.map((taken) => taken !== undefined);
  };

  it('gives a challenge back as it was put', async () => {
    expect(await one().take(await put(newVisitor()))).toEqual(issued);
  });

  it('gives it back exactly once under 32 parallel calls', async () => {
    const challenge = await put(newVisitor());
    const takers = Array.from({ length: 32 }, (_, n) => at(n).take(challenge));
    const taken = await Promise.all(takers);
    expect(taken.filter((found) => found !== undefined)).toEqual([issued]);
  });

  it('knows nothing of what was never put', async () => {
    expect(await one().take(randomUUID())).toBeUndefined();
  });

  it('gives nothing back that has expired', async () => {
    const challenge = await put(newVisitor(), 0, 1);
    const expiredAt = Date.now() + 2;
    while (Date.now() <= expiredAt) await new Promise(setImmediate);
    expect(await one().take(challenge)).toBeUndefined();
  });

  it('holds as many of a visitor as the limit: the oldest goes first, and none of others', async () => {
    const [ann, eve] = [newVisitor(3), newVisitor(3)];
    const challenges = [await put(ann)];
    for (let n = 0; n < 5; n += 1) challenges.push(await put(eve, n));
    expect(await there(challenges)).toEqual([true, false, false, true, true, true]);
  });

  it('has room again for what a visitor took or let expire', async () => {
    const ann = newVisitor(2);
    const first = await put(ann);
    expect(await one().take(first)).toEqual(issued);
    const kept = [await put(ann), await put(ann)];
    expect(await there(kept)).toEqual([true, true]);
    await put(ann, 0, 1);
    const expiredAt = Date.now() + 2;
    while (Date.now() <= expiredAt) await new Promise(setImmediate);
    expect(await there([await put(ann), await put(ann)])).toEqual([true, true]);
  });

  it('holds exactly the limit of 64 parallel ones', async () => {
    const ann = newVisitor(10);
    const challenges = await Promise.all(Array.from({ length: 64 }, (_, n) => put(ann, n)));
    expect((await there(challenges)).filter(Boolean)).toHaveLength(10);
  });
}

/** What a ChallengeStore with a capacity, which `open` creates, does as it fills up. */
export function describeFullChallengeStore(open: (capacity: number) => Promise<ChallengeStore>) {
  describe('when it fills up', () => {
    let small: ChallengeStore;

    beforeEach(async () => {
      small = await open(100);
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

    it('never holds more than its capacity, and evicts no challenge of another visitor', async () => {
      const puts = Array.from({ length: 300 }, (_, n) => put(`${n}`, visitorOf(`${n}`)));
      const outcomes = await Promise.allSettled(puts);
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
}
