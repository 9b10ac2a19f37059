import { createSecretKey } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import {
  ServiceKeyEntity,
  SweeperService,
  databaseMigrations,
  expiredRows,
  getServiceKey,
} from '#libs/platform';
import { describeOnDatabases } from '../../../../test/support/services/describe-on-databases.js';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { makeProvenChallenge } from './proven-challenge.js';
import { SignInChallenges } from './sign-in-challenges.sql.js';
import { TakenChallengeEntity } from './taken-challenge.entity.js';

const login = { purpose: 'login', origin: 'https://gate.example' } as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const schema = {
  entities: [ServiceKeyEntity, TakenChallengeEntity],
  migrations: [...accountsMigrations, ...passkeysMigrations, ...databaseMigrations],
};

describeOnDatabases('sign-in challenges', schema, (replicas) => {
  let challenges: SignInChallenges[];

  beforeAll(async () => {
    challenges = await Promise.all(replicas().map((replica) => SignInChallenges.open(replica)));
  });
  beforeEach(async () => {
    await replicas()[0].manager.clear(TakenChallengeEntity);
  });

  const at = (replica: number) => challenges[replica % 2] as SignInChallenges;
  const issue = async () => (await at(0).issue(login)).toString('base64url');
  const take = async (challenge: string, replica = 0) => {
    const proven = at(replica).prove(challenge);
    return proven !== undefined && at(replica).take(challenge, proven);
  };
  const taken = () => replicas()[0].manager.find(TakenChallengeEntity);
  /** A challenge issued `ms` ago, by the clock of this machine, which is also the database's. */
  const issuedBefore = async (ms: number) => {
    const key = createSecretKey(await getServiceKey(replicas()[0], 'sign-in-challenges'));
    return makeProvenChallenge(key, Date.now() - ms, login).toString('base64url');
  };

  it('are stored nowhere while nobody presents them', async () => {
    for (let n = 0; n < 100; n += 1) await issue();
    expect(await taken()).toEqual([]);
  });

  it('are good once, on whichever replica', async () => {
    const challenge = await issue();
    expect([await take(challenge, 1), await take(challenge, 0)]).toEqual([true, false]);
    expect(await taken()).toHaveLength(1);
  });

  it('are good once under 32 parallel calls', async () => {
    for (let round = 0; round < 5; round += 1) {
      const challenge = await issue();
      const calls = Array.from({ length: 32 }, (_, replica) => take(challenge, replica));
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
    }
    expect(await taken()).toHaveLength(5);
  });

  it('are noted down as a hash', async () => {
    const challenge = await issue();
    await take(challenge);
    expect(JSON.stringify(await taken())).not.toContain(challenge);
  });

  it('are good for five minutes, and none is noted down after that', async () => {
    expect(await take(await issuedBefore(5 * MINUTE - 20 * SECOND))).toBe(true);
    expect(await taken()).toHaveLength(1);
    expect(await take(await issuedBefore(5 * MINUTE + 1))).toBe(false);
    expect(await take(await issuedBefore(HOUR))).toBe(false);
    expect(await taken()).toHaveLength(1);
  });

  it('may come from a clock that is a little ahead, and no more', async () => {
    expect(await take(await issuedBefore(-50 * SECOND))).toBe(true);
    expect(await take(await issuedBefore(-2 * MINUTE))).toBe(false);
    expect(await taken()).toHaveLength(1);
  });

  it('are swept when nobody could take them for good any more, however many', async () => {
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
