import { InProcessChallengeStore } from './challenge-store.in-process.js';
import { ChallengesService } from './challenges.service.js';

const ORIGIN = 'https://gate.example';
const login = { purpose: 'login', origin: ORIGIN, userId: null, displayName: null } as const;

describe('ChallengesService', () => {
  let challenges: ChallengesService;

  beforeEach(async () => {
    challenges = new ChallengesService(new InProcessChallengeStore());
    await challenges.issue('challenge', login);
  });

  it('takes a challenge for what it was issued for, once', async () => {
    expect(await challenges.take('challenge', ORIGIN, 'login')).toEqual(login);
    expect(await challenges.take('challenge', ORIGIN, 'login')).toBeUndefined();
  });

  it.each([
    ['on another origin', 'https://other.example', 'login'],
    ['for another purpose', ORIGIN, 'register'],
  ] as const)(
    'gives nothing %s, and the challenge is used up by that',
    async (_why, origin, purpose) => {
      expect(await challenges.take('challenge', origin, purpose)).toBeUndefined();
      expect(await challenges.take('challenge', ORIGIN, 'login')).toBeUndefined();
    },
  );

  it('takes one of several purposes', async () => {
    expect(await challenges.take('challenge', ORIGIN, 'add', 'login')).toEqual(login);
  });
});
