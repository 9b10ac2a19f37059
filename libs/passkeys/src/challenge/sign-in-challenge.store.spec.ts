import { createSecretKey, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import {
  ServiceKeyEntity,
  SweeperService,
  databaseMigrations,
  expiredRows,
  getServiceKey,
} from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { ChallengesService } from './challenge.service.js';
import { InProcessChallengeStore } from './challenge.store.js';
import {
  makeProvenChallenge,
  proveChallenge,
  TakenChallengeEntity,
} from './sign-in-challenge.store.js';

const makeKey = () => createSecretKey(randomBytes(32));
const KEY = makeKey();
const AT = 1_800_000_000_000;
const login = { purpose: 'login', origin: 'https://gate.example' } as const;
const make = () => makeProvenChallenge(KEY, AT, login);

describe('a challenge that carries its own proof', () => {
  it('is 43 characters, no two alike', () => {
    const challenges = Array.from({ length: 1000 }, () => make().toString('base64url'));
    for (const challenge of challenges) expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(challenges).size).toBe(1000);
  });

  it('tells when it was issued, and what for', () => {
    const proven = proveChallenge(KEY, make().toString('base64url'));
    expect(proven?.issuedAt).toBe(AT);
    expect(proven?.isFor(login)).toBe(true);
  });

  it.each([
    ['another origin', { ...login, origin: 'https://other.example' }],
    ['another purpose', { ...login, purpose: 'register' }],
    ['both', { purpose: 'register', origin: 'https://other.example' }],
  ])('is not good for %s', (_what, use) => {
    expect(proveChallenge(KEY, make().toString('base64url'))?.isFor(use)).toBe(false);
  });

  it('is proven by its own key alone', () => {
    expect(proveChallenge(makeKey(), make().toString('base64url'))).toBeUndefined();
  });

  it('has no bit that may be changed', () => {
    const challenge = make();
    for (let bit = 0; bit < 256; bit += 1) {
      const changed = Buffer.from(challenge);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(proveChallenge(KEY, changed.toString('base64url'))).toBeUndefined();
    }
  });

  it('has one spelling, although the last character has two bits to spare', () => {
    const challenge = make().toString('base64url');
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = [...digits].map((digit) => challenge.slice(0, -1) + digit);
    const bytes = Buffer.from(challenge, 'base64url');
    expect(same.filter((other) => Buffer.from(other, 'base64url').equals(bytes))).toHaveLength(4);
    expect(same.filter((other) => proveChallenge(KEY, other))).toEqual([challenge]);
  });

  it.each(['', 'short', 'c'.repeat(43), '*'.repeat(43), 'c'.repeat(4096)])(
    'is not "%s"',
    (text) => {
      expect(proveChallenge(KEY, text)).toBeUndefined();
    },
  );
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const schema = {
  entities: [ServiceKeyEntity, TakenChallengeEntity],
  migrations: [...accountsMigrations, ...passkeysMigrations, ...databaseMigrations],
};

describeOnDatabases('sign-in challenges', schema, (replicas) => {
  let challenges: ChallengesService[];

  beforeAll(async () => {
    const open = (replica: DataSource) =>
      ChallengesService.open(replica, new InProcessChallengeStore());
    challenges = await Promise.all(replicas().map(open));
  });
  beforeEach(async () => {
    await replicas()[0].manager.clear(TakenChallengeEntity);
  });

  const at = (replica: number) => challenges[replica % 2] as ChallengesService;
  const issue = async () => (await at(0).issueFor(login)).toString('base64url');
  const take = async (challenge: string, replica = 0) => at(replica).takeFor(challenge, login);
  const taken = () => replicas()[0].manager.find(TakenChallengeEntity);
  /** A challenge issued `ms` ago, by the clock of this machine, which is also the database's. */
  const issuedBefore = async (ms: number) => {
    const key = await getServiceKey(replicas()[0], 'sign-in-challenges');
    return makeProvenChallenge(key, Date.now() - ms, login).toString('base64url');
  };

  it('are good once under 32 parallel calls', async () => {
    for (let round = 0; round < 5; round += 1) {
      const challenge = await issue();
      const calls = Array.from({ length: 32 }, (_, replica) => take(challenge, replica));
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
    }
    expect(await taken()).toHaveLength(5);
  });

  it('are good for five minutes, and none is noted down after that', async () => {
    expect(await take(await issuedBefore(5 * MINUTE - 20 * SECOND))).toBe(true);
    expect(await taken()).toHaveLength(1);
    expect(await take(await issuedBefore(5 * MINUTE + 1))).toBe(false);
    expect(await take(await issuedBefore(HOUR))).toBe(false);
    expect(await taken()).toHaveLength(1);
  });

  it('may come from a clock that is up to a minute ahead', async () => {
    expect(await take(await issuedBefore(-50 * SECOND))).toBe(true);
    expect(await take(await issuedBefore(-2 * MINUTE))).toBe(false);
    expect(await taken()).toHaveLength(1);
  });

  it('are swept once they have expired, however many', async () => {
    await take(await issue());
    await insertExpired(replicas()[0], 1_234);
    const expired = expiredRows(TakenChallengeEntity, 'challengeHash');
    await new SweeperService(replicas()[1]).add(expired).sweep();
    const left = await taken();
    expect(left).toHaveLength(1);
    expect((left[0]?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(HOUR);
  });
});

async function insertExpired({ manager }: DataSource, count: number) {
  const expired = Array.from({ length: count }, (_, n) => ({
    challengeHash: `old-${n}`,
    expiresAt: Date.now() - n - 1,
  }));
  for (let from = 0; from < count; from += 100) {
    await manager.insert(TakenChallengeEntity, expired.slice(from, from + 100));
  }
}
