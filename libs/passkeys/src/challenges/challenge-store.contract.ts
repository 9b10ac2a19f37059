import { randomUUID } from 'node:crypto';
import type { Challenge } from './challenge.js';
import type { ChallengeStore } from './challenge-store.js';

const MINUTE = 60_000;
const issued: Challenge = {
  purpose: 'register',
  origin: 'http://localhost',
  userId: 'ann',
  displayName: 'Ann \u{1f600}',
};

/** What every ChallengeStore promises; `stores` are replicas that share one state. */
export function describeChallengeStore(stores: () => readonly ChallengeStore[]) {
  const one = () => stores()[0] as ChallengeStore;

  it('gives a challenge back as it was put', async () => {
    const challenge = randomUUID();
    await one().put(challenge, issued, MINUTE);
    expect(await one().take(challenge)).toEqual(issued);
  });

  it('gives it back exactly once under 32 parallel calls', async () => {
    const challenge = randomUUID();
    await one().put(challenge, issued, MINUTE);
    const replicas = stores();
    const takers = Array.from({ length: 32 }, (_, n) => replicas[n % replicas.length]);
    const taken = await Promise.all(takers.map((store) => store?.take(challenge)));
    expect(taken.filter((found) => found !== undefined)).toEqual([issued]);
  });

  it('knows nothing of what was never put', async () => {
    expect(await one().take(randomUUID())).toBeUndefined();
  });

  it('gives nothing back that has expired', async () => {
    const challenge = randomUUID();
    await one().put(challenge, issued, 1);
    const expiredAt = Date.now() + 2;
    while (Date.now() <= expiredAt) await new Promise(setImmediate);
    expect(await one().take(challenge)).toBeUndefined();
  });
}
