import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { compareSecret } from '#libs/accounts';
import { SweeperService } from '#libs/platform';
import { AssertionEntity, expiredAssertions } from './assertion.store.js';
import {
  ClientStore,
  expiredRegistrations,
  recordClientUse,
  RegisteredClientEntity,
} from './client.store.js';
import { describeOAuthOnDatabases } from '../testbed/oauth-database.testbed.js';

const DAY = 24 * 60 * 60 * 1000;
const metadata = {
  client_name: 'App \u{1f600}',
  redirect_uris: ['http://127.0.0.9/cb'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
};

describeOAuthOnDatabases('registered clients', (replicas) => {
  let id: string;
  let now: number;
  const clients = (replica: 0 | 1 = 0) => new ClientStore(replicas()[replica]);
  const use = (replica: 0 | 1 = 0) => recordClientUse(replicas()[replica], id);
  const row = () => replicas()[0].manager.findOneByOrFail(RegisteredClientEntity, { id });

  beforeEach(async () => {
    id = randomUUID();
    now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    await clients().insert({ client_id: id, client_secret: 's3cret', ...metadata });
  });
  afterEach(() => jest.restoreAllMocks());

  it('are found by every replica, with a hash for the secret', async () => {
    const { client_secret: hash = '', ...found } = (await clients(1).find(id)) ?? {};
    expect(found).toEqual({ client_id: id, ...metadata });
    expect(compareSecret('s3cret', hash)).toBe(true);
    expect(JSON.stringify(await row())).not.toContain('s3cret');
  });

  it('have no secret when they are public', async () => {
    id = randomUUID();
    await clients().insert({ client_id: id });
    expect(await clients().find(id)).toEqual({ client_id: id });
  });

  it('are not found by what was never registered', async () => {
    for (const unknown of [randomUUID(), '', 'a\0b', "' OR 1=1", 'a'.repeat(10_000)]) {
      expect(await clients().find(unknown)).toBeUndefined();
    }
  });

  it('need an identifier that can be found again', async () => {
    await expect(clients().insert({ client_id: 'https://a.test/' })).rejects.toThrow(TypeError);
    await expect(clients().insert({})).rejects.toThrow(TypeError);
  });

  it('go away 30 days after registration, for good', async () => {
    now += 30 * DAY - 1;
    expect(await clients().find(id)).toBeDefined();
    now += 1;
    expect(await clients().find(id)).toBeUndefined();
    await use();
    expect(await clients().find(id)).toBeUndefined();
  });

  it('go away 90 days after they were used last', async () => {
    await use();
    now += 89 * DAY;
    await use(1);
    now += 90 * DAY - 1;
    expect(await clients().find(id)).toBeDefined();
    now += 1;
    expect(await clients().find(id)).toBeUndefined();
  });

  it('say what room they take, and when they were given a grant for the first time', async () => {
    const { metadata: stored, storedBytes, grantedAt } = await row();
    expect(storedBytes).toBe(1024 + Buffer.byteLength(JSON.stringify(stored)));
    expect(grantedAt).toBeNull();
    const granted = now;
    await use();
    now += 2 * DAY;
    await use(1);
    expect(await row()).toMatchObject({ grantedAt: granted, lastUsedAt: now });
  });

  it('are written at most once a day', async () => {
    await use();
    const used = now;
    now += DAY - 1;
    await use();
    expect(await row()).toMatchObject({ lastUsedAt: used, expiresAt: used + 90 * DAY });
    now += 2;
    await use();
    expect(await row()).toMatchObject({ lastUsedAt: now, expiresAt: now + 90 * DAY });
  });
});

describeOAuthOnDatabases('the sweeper of clients', (replicas) => {
  const sweeps = [expiredRegistrations, expiredAssertions];
  const sweep = (replica: DataSource) => new SweeperService(replica).add(...sweeps).sweep();

  it('removes every expired registration and assertion, however many, and no other', async () => {
    const now = Date.now();
    const { manager } = replicas()[0];
    const client = (id: string, expiresAt: number) => ({
      id,
      expiresAt,
      metadata: {},
      secretHash: null,
      createdAt: 0,
      lastUsedAt: 0,
    });
    for (let from = 0; from < 1_100; from += 100) {
      const expired = Array.from({ length: 100 }, (_, n) => `old-${from + n}`);
      await manager.insert(
        RegisteredClientEntity,
        expired.map((id) => client(id, now - 1)),
      );
      await manager.insert(
        AssertionEntity,
        expired.map((idHash) => ({ idHash, expiresAt: now - 1 })),
      );
    }
    await manager.insert(RegisteredClientEntity, client('live', now + 60_000));
    await manager.insert(AssertionEntity, { idHash: 'live', expiresAt: now + 60_000 });
    await Promise.all(replicas().map(sweep));
    const clients = await manager.find(RegisteredClientEntity);
    expect(clients.map(({ id }) => id)).toEqual(['live']);
    const assertions = await manager.find(AssertionEntity);
    expect(assertions.map(({ idHash }) => idHash)).toEqual(['live']);
  });
});
