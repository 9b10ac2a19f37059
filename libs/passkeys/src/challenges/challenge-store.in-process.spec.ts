import { describeChallengeStore } from './challenge-store.contract.js';
import { InProcessChallengeStore } from './challenge-store.in-process.js';

describe('ChallengeStore in this process', () => {
  const store = new InProcessChallengeStore();
  describeChallengeStore(() => [store]);

  it('holds no more than its capacity: the oldest goes first', async () => {
    const small = new InProcessChallengeStore(3);
    const login = {
      purpose: 'login',
      origin: 'http://localhost',
      userId: null,
      displayName: null,
    } as const;
    for (const challenge of ['a', 'b', 'c', 'd']) await small.put(challenge, login, 60_000);
    expect(await small.take('a')).toBeUndefined();
    for (const challenge of ['b', 'c', 'd']) expect(await small.take(challenge)).toEqual(login);
  });
});
