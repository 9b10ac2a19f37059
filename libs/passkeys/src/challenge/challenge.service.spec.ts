import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { ServiceKeyEntity, createDataSource, databaseMigrations } from '#libs/platform';
import { sqliteForTests } from '#libs/platform/testing';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { InProcessChallengeStore } from './challenge.store.js';
import { ChallengesService } from './challenge.service.js';
import { TakenChallengeEntity } from './sign-in-challenge.store.js';

const ORIGIN = 'https://gate.example';
const OTHER = 'https://other.example';
const register = {
  purpose: 'register',
  origin: ORIGIN,
  userId: 'ann',
  displayName: 'Ann',
} as const;
const login = { purpose: 'login', origin: ORIGIN };
const visitor = { key: '192.0.2.1', network: '192.0.2.1', limit: 300 };

const schema = {
  entities: [ServiceKeyEntity, TakenChallengeEntity],
  migrations: [...accountsMigrations, ...passkeysMigrations, ...databaseMigrations],
};

describe('ChallengesService', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let challenges: ChallengesService;

  beforeAll(async () => {
    sqlite = await sqliteForTests();
    dataSource = createDataSource({ type: 'sqlite', path: sqlite.path }, schema);
    await dataSource.initialize();
    await dataSource.runMigrations();
  });
  beforeEach(async () => {
    await dataSource.manager.clear(TakenChallengeEntity);
    challenges = await ChallengesService.open(dataSource, new InProcessChallengeStore());
    await challenges.issue('challenge', register, visitor);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await sqlite.dispose();
  });

  const beginSignIn = async () => (await challenges.issueForSignIn(ORIGIN)).toString('base64url');
  const rows = () => dataSource.manager.count(TakenChallengeEntity);

  describe('of registration', () => {
    it('takes a challenge for what it was issued for, once', async () => {
      expect(await challenges.take('challenge', ORIGIN, 'register')).toEqual(register);
      expect(await challenges.take('challenge', ORIGIN, 'register')).toBeUndefined();
    });

    it.each([
      ['on another origin', OTHER, 'register'],
      ['for another purpose', ORIGIN, 'login'],
    ] as const)(
      'gives nothing %s, and the challenge is used up by that',
      async (_why, origin, purpose) => {
        expect(await challenges.take('challenge', origin, purpose)).toBeUndefined();
        expect(await challenges.take('challenge', ORIGIN, 'register')).toBeUndefined();
      },
    );

    it('takes one of several purposes', async () => {
      expect(await challenges.take('challenge', ORIGIN, 'add', 'register')).toEqual(register);
    });
  });

  describe('of signing in', () => {
    it('takes a challenge once', async () => {
      const challenge = await beginSignIn();
      expect(await challenges.take(challenge, ORIGIN, 'login')).toEqual(login);
      expect(await challenges.take(challenge, ORIGIN, 'login')).toBeUndefined();
    });

    it.each([
      ['on another origin', OTHER, 'login'],
      ['for another purpose', ORIGIN, 'register'],
    ] as const)(
      'gives nothing %s, and the challenge is used up by that',
      async (_why, origin, purpose) => {
        const challenge = await beginSignIn();
        expect(await challenges.take(challenge, origin, purpose)).toBeUndefined();
        expect(await challenges.take(challenge, ORIGIN, 'login')).toBeUndefined();
        expect(await rows()).toBe(1);
      },
    );

    it('writes nothing for a challenge that it did not issue', async () => {
      const { length } = await beginSignIn();
      for (let n = 0; n < 100; n += 1) {
        const forged = randomBytes(32).toString('base64url');
        expect(forged).toHaveLength(length);
        expect(await challenges.take(forged, ORIGIN, 'login')).toBeUndefined();
      }
      expect(await rows()).toBe(0);
    });

    it('does not ask the store', async () => {
      const store = new InProcessChallengeStore();
      store.take = () => Promise.reject(new Error('the store is away'));
      challenges = await ChallengesService.open(dataSource, store);
      expect(await challenges.take(await beginSignIn(), ORIGIN, 'login')).toEqual(login);
    });
  });
});
