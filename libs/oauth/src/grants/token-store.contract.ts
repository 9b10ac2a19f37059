import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { UserEntity } from '#libs/accounts';
import { GrantEntity } from './grant.entity.js';
import { beginGrant, ORIGIN } from './grants-database.testbed.js';
import { GrantsService } from './grants.service.js';
import { RefreshGenerations } from './refresh-generations.sql.js';
import { type NewToken, SqlTokenStore } from './token-store.sql.js';

const HOUR = 60 * 60 * 1000;

/** What the stores of grants and tokens promise on every database. */
export function describeTokenStore(open: () => DataSource) {
  let grants: GrantsService;
  let store: SqlTokenStore;
  let generations: RefreshGenerations;
  let grantId: string;

  const token = (kind: NewToken['kind'], generation = 0): NewToken => ({
    kind,
    grantId,
    generation,
    payload: { aud: ORIGIN },
    expiresAt: Date.now() + HOUR,
  });
  const times = <T>(count: number, work: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, work));
  const count = (results: boolean[]) => results.filter(Boolean).length;

  beforeEach(async () => {
    const dataSource = open();
    grants = new GrantsService(dataSource);
    store = new SqlTokenStore(dataSource, {});
    generations = new RefreshGenerations(dataSource);
    grantId = await beginGrant(dataSource);
  });

  it('tells what a client was given from what another was, or nobody', async () => {
    const { clientId } = await grants.get(grantId);
    for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken'] as const) {
      const secret = randomUUID();
      await store.insert(secret, token(kind));
      expect(await store.wasGivenTo(clientId, secret)).toBe(true);
      expect(await store.wasGivenTo(`${clientId}x`, secret)).toBe(false);
      expect(await store.wasGivenTo(clientId, `x${secret}`)).toBe(false);
    }
    const secret = randomUUID();
    await store.insert(secret, { ...token('AccessToken'), expiresAt: Date.now() - 1 });
    await grants.revoke(grantId);
    expect(await store.wasGivenTo(clientId, secret)).toBe(true);
  });

  it('finds a token by itself, of its kind and on its origin only', async () => {
    const secret = randomUUID();
    expect(await store.insert(secret, token('AccessToken'))).toBe(true);
    expect((await store.find(secret, 'AccessToken', ORIGIN))?.payload).toEqual({ aud: ORIGIN });
    expect(await store.find(secret, 'RefreshToken', ORIGIN)).toBeUndefined();
    expect(await store.find(secret, 'AccessToken', 'http://elsewhere')).toBeUndefined();
  });

  it('uses a code once under 32 parallel calls', async () => {
    const secret = randomUUID();
    await store.insert(secret, token('AuthorizationCode'));
    expect(count(await times(32, () => store.consumeOnce(secret)))).toBe(1);
  });

  it('revokes once under 32 parallel calls, and stores no token afterwards', async () => {
    const secret = randomUUID();
    await store.insert(secret, token('AccessToken'));
    expect(count(await times(32, () => grants.revoke(grantId)))).toBe(1);
    expect(await store.find(secret, 'AccessToken', ORIGIN)).toBeUndefined();
    expect(await store.insert(randomUUID(), token('AccessToken'))).toBe(false);
    expect(await store.insert(randomUUID(), token('RefreshToken'))).toBe(false);
  });

  it('a revocation among 64 inserts leaves no token that is found', async () => {
    const secrets = Array.from({ length: 64 }, () => randomUUID());
    const inserts = secrets.map((secret) => store.insert(secret, token('AccessToken')));
    await grants.revoke(grantId);
    await Promise.all(inserts);
    const found = await Promise.all(secrets.map((s) => store.find(s, 'AccessToken', ORIGIN)));
    expect(found.filter(Boolean)).toEqual([]);
  });

  it('a refresh token starts the lifetime of its grant again', async () => {
    const refresh = token('RefreshToken');
    await store.insert(randomUUID(), refresh);
    expect((await grants.findActive(grantId))?.expiresAt).toBe(refresh.expiresAt);
  });

  it('a generation is good until a later one was used, whoever uses them at once', async () => {
    const [old, next] = [randomUUID(), randomUUID()];
    await store.insert(old, token('RefreshToken'));
    const stored = await store.find(old, 'RefreshToken', ORIGIN);
    if (!stored) throw new Error('not stored');
    expect(count(await times(32, () => generations.use(stored)))).toBe(32);
    await store.insert(next, token('RefreshToken', 1));
    expect(await generations.isGood(stored)).toBe(true);
    const later = await store.find(next, 'RefreshToken', ORIGIN);
    if (!later) throw new Error('not stored');
    expect(await generations.use(later)).toBe(true);
    expect(count(await times(32, () => generations.use(stored)))).toBe(0);
  });

  it('an arrival is noted once under 32 parallel calls, and never moves back or again', async () => {
    const noted = async () => {
      const { arrivedGeneration, arrivedAt } = await grants.get(grantId);
      return [arrivedGeneration, arrivedAt];
    };
    expect(await noted()).toEqual([0, null]);
    await times(32, () => generations.noteArrival(grantId, 2));
    const first = await noted();
    expect(first).toEqual([2, expect.any(Number)]);
    await times(8, () => generations.noteArrival(grantId, 2));
    await generations.noteArrival(grantId, 1);
    expect(await noted()).toEqual(first);
    await generations.noteArrival(grantId, 3);
    expect((await noted())[0]).toBe(3);
  });

  it('a replaced token is known by its family, on its origin, while the grant is active', async () => {
    const [old, next] = ['f'.repeat(22) + randomUUID(), 'f'.repeat(22) + randomUUID()];
    await store.insert(old, token('RefreshToken'));
    await store.insert(next, token('RefreshToken', 1));
    const successor = await store.find(next, 'RefreshToken', ORIGIN);
    if (!successor) throw new Error('not stored');
    expect(await generations.use(successor)).toBe(true);
    expect(await store.find(old, 'RefreshToken', ORIGIN)).toBeUndefined();
    expect((await store.findSuccessor(old, ORIGIN))?.idHash).toBe(successor.idHash);
    expect(await store.findSuccessor(old, 'http://elsewhere')).toBeUndefined();
    expect(await store.findSuccessor(randomUUID(), ORIGIN)).toBeUndefined();
    await grants.revoke(grantId);
    expect(await store.findSuccessor(old, ORIGIN)).toBeUndefined();
    const { clientId } = await grants.get(grantId);
    expect(await store.wasGivenTo(clientId, old)).toBe(true);
    expect(await store.wasGivenTo(`${clientId}x`, old)).toBe(false);
  });

  it('a grant from before families keeps its replaced tokens', async () => {
    const [old, next] = [randomUUID(), randomUUID()];
    await store.insert(old, token('RefreshToken'));
    await store.insert(next, token('RefreshToken', 1));
    await open().manager.update(GrantEntity, { id: grantId }, { familyHash: null });
    const successor = await store.find(next, 'RefreshToken', ORIGIN);
    if (!successor) throw new Error('not stored');
    expect(await generations.use(successor)).toBe(true);
    expect(await store.find(old, 'RefreshToken', ORIGIN)).toBeDefined();
  });

  it('tokens go with their grant, grants with their user', async () => {
    const { manager } = open();
    await store.insert(randomUUID(), token('AccessToken'));
    const grant = await manager.findOneByOrFail(GrantEntity, { id: grantId });
    await manager.delete(UserEntity, { id: grant.userId });
    expect(await manager.countBy(GrantEntity, { id: grantId })).toBe(0);
    expect(await manager.count('oauth_tokens', { where: { grantId } as never })).toBe(0);
  });
}
