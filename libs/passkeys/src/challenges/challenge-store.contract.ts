import { randomUUID } from 'node:crypto';
import type { Visitor } from '#libs/accounts';
import type { Challenge } from './challenge.js';
import type { ChallengeStore } from './challenge-store.js';

const MINUTE = 60_000;
const issued: Challenge = {
  purpose: 'register',
  origin: 'http://localhost',
  userId: 'ann',
  displayName: 'Ann \u{1f600}',
};

/** Somebody who has not been here yet. */
const newVisitor = (limit = 300): Visitor => {
  const key = randomUUID();
  return { key, network: key, limit };
};

/** What every ChallengeStore promises; `stores` are replicas that share one state. */
export function describeChallengeStore(stores: () => readonly ChallengeStore[]) {
  const one = () => stores()[0] as ChallengeStore;
  const at = (n: number) => stores()[n % stores().length] as ChallengeStore;
  const put = async (visitor: Visitor, replica = 0, lifetimeMs = MINUTE) => {
    const challenge = randomUUID();
    await at(replica).put(challenge, issued, lifetimeMs, visitor);
    return challenge;
  };
  /** Which of them are still there. */
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
