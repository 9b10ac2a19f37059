import { randomUUID } from 'node:crypto';
import { type DataSource, IsNull } from 'typeorm';
import { UserEntity, UserStore } from '#libs/accounts';
import { AssertionEntity, AssertionStore } from '../client/assertion.store.js';
import { registrationMetadata } from '../client/client.js';
import { ClientStore } from '../client/client.store.js';
import { GrantStore } from '../grant/grant.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { TokenEntity } from '../token/token.entity.js';
import { TokenStore } from '../token/token.store.js';
import { type ManagedGrant, ManagedGrantStore } from './managed-grant.store.js';

const DAY = 24 * 60 * 60 * 1000;

const USED = expect.objectContaining({
  error: 'invalid_grant',
  message: 'the jti of the assertion was used before',
}) as unknown;
const noAccess = (reason: string, userId: string) => ({
  error: 'invalid_grant',
  message: expect.stringMatching(/^the person of the assertion has no access here;/),
  detail: `Acme: ${reason}`,
  userId,
});

describeOAuthOnDatabases('managed grants', (replicas) => {
  const open = (replica = 0, grantMaxAgeMs?: number) => {
    const on: DataSource = replicas()[replica % 2 === 0 ? 0 : 1];
    const options = { grantMaxAgeMs };
    const tokens = new TokenStore(on, options);
    const [users, assertions, grants] = [
      new UserStore(on),
      new AssertionStore(on),
      new GrantStore(on),
    ];
    return new ManagedGrantStore(on, users, assertions, tokens, grants, options);
  };
  const rows = () => replicas()[0].manager;
  const newUser = async (disabledAt: number | null = null) => {
    const id = randomUUID();
    await rows().insert(UserEntity, { id, displayName: 'Ann', createdAt: 0, disabledAt });
    return id;
  };
  const newClient = async () => {
    const id = randomUUID();
    const metadata = registrationMetadata({ redirect_uris: ['https://app.example/'] });
    await new ClientStore(replicas()[0]).insert({ client_id: id, ...metadata });
    return id;
  };
  const assertion = () => ({ idHash: randomUUID(), expiresAt: Date.now() + 60_000 });
  const access = (userId: string, changes: object = {}) => ({
    userId,
    clientId,
    origin: ORIGIN,
    resource: null,
    scope: 'account:read',
    app: 'App',
    clientHosts: '[]',
    published: null,
    managedBy: 'Acme',
    ...changes,
  });
  const issue = async ({ id: grantId }: ManagedGrant) => {
    const value = randomUUID();
    const expiresAt = Date.now() + 60_000;
    const token = { value, grantId, generation: 0, payload: {}, expiresAt };
    return { token: { ...token, kind: 'AccessToken' as const }, response: {} };
  };
  const active = (userId: string) =>
    rows().find(GrantEntity, { where: { userId, revokedAt: IsNull() } });

  let clientId: string;

  beforeAll(async () => {
    clientId = await newClient();
  });

  it('are begun once and prolonged, with a token each time', async () => {
    const userId = await newUser();
    const first = await open().give(assertion(), access(userId), issue);
    const second = await open(1).give(assertion(), access(userId, { scope: 'x' }), issue);
    expect([first.grant.isNew, second.grant.isNew]).toEqual([true, false]);
    expect(second.grant.scope).toBe('x');
    expect(second.grant.id).toBe(first.grant.id);
    const [grant, ...others] = await active(userId);
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ scope: 'account:read x', managedBy: 'Acme', redirectHost: null });
    expect(grant?.expiresAt).toBeGreaterThan(Date.now() + 30 * DAY - 60_000);
    expect(await rows().countBy(TokenEntity, { grantId: grant?.id ?? '' })).toBe(2);
  });

  it.each<[string, object]>([
    ['client', { clientId: 'https://app.example/client', published: 'app.example' }],
    ['resource', { resource: 'https://notes.example/mcp' }],
    ['issuer', { managedBy: 'Globex' }],
    ['origin', { origin: 'http://other.localhost' }],
  ])('are one for each %s', async (_what, changes) => {
    const userId = await newUser();
    await open().give(assertion(), access(userId), issue);
    await open().give(assertion(), access(userId, changes), issue);
    await open().give(assertion(), access(userId, changes), issue);
    expect(await active(userId)).toHaveLength(2);
  });

  it('leave one winner for two accounts as well', async () => {
    const users = [await newUser(), await newUser()];
    const once = assertion();
    const calls = Array.from({ length: 12 }, (_, n) =>
      open(n).give(once, access(users[n % 2] ?? ''), issue),
    );
    const outcomes = await Promise.allSettled(calls);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual(Array(11).fill(expect.objectContaining({ reason: USED })));
  });

  it('use up nothing for a disabled or deleted account, or when the token is not made', async () => {
    const [once, failing] = [assertion(), assertion()];
    for (const id of [await newUser(1), randomUUID()]) {
      const refused = open().give(once, access(id), issue);
      await expect(refused).rejects.toMatchObject(noAccess('the account is disabled', id));
    }
    const userId = await newUser();
    const broken = () => Promise.reject(new Error('no key'));
    await expect(open().give(failing, access(userId), broken)).rejects.toThrow('no key');
    expect(await active(userId)).toEqual([]);
    for (const { idHash } of [once, failing]) {
      expect(await rows().existsBy(AssertionEntity, { idHash })).toBe(false);
    }
    expect((await open().give(once, access(userId), issue)).grant.isNew).toBe(true);
  });

  it('are new grants after the old ones were ended, and end at their greatest age', async () => {
    const userId = await newUser();
    const first = await open(0, DAY).give(assertion(), access(userId), issue);
    const [grant] = await active(userId);
    expect(grant?.expiresAt).toBe((grant?.createdAt ?? 0) + DAY);
    await open(0, DAY).give(assertion(), access(userId), issue);
    expect((await active(userId))[0]?.expiresAt).toBe(grant?.expiresAt);
    await rows().update(GrantEntity, { id: first.grant.id ?? '' }, { revokedAt: Date.now() });
    const second = await open().give(assertion(), access(userId), issue);
    expect(second.grant.isNew).toBe(true);
  });

  it('are not given to a client that is gone, and use up nothing', async () => {
    const [userId, gone, once] = [await newUser(), await newClient(), assertion()];
    await new ClientStore(replicas()[0]).remove(gone);
    const outcome = open().give(once, access(userId, { clientId: gone }), issue);
    await expect(outcome).rejects.toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await active(userId)).toEqual([]);
    expect(await rows().existsBy(AssertionEntity, { idHash: once.idHash })).toBe(false);
  });

  it('a deletion of the client among parallel assertions leaves none', async () => {
    const clients = new ClientStore(replicas()[1]);
    const grants = new GrantStore(replicas()[1]);
    clients.beforeRemoval(grants.revokeOfClient.bind(grants));
    for (let round = 0; round < 5; round += 1) {
      const [users, removed] = [await Promise.all([newUser(), newUser()]), await newClient()];
      const giving = Array.from({ length: 24 }, (_, n) =>
        open(n).give(assertion(), access(users[n % 2] ?? '', { clientId: removed }), issue),
      );
      const removal = giving[3]?.then(() => clients.remove(removed));
      const outcomes = await Promise.allSettled(giving);
      await removal;
      expect(outcomes[3]?.status).toBe('fulfilled');
      for (const userId of users) expect(await active(userId)).toEqual([]);
    }
  });

  describe('are among the 100 of an account', () => {
    /** Begins a grant for each issuer, or of the account's own for null, the first one used last. */
    const fill = async (userId: string, managed: readonly (string | null)[]) => {
      const now = Date.now();
      const begun = managed.map((managedBy, n) => ({
        ...access(userId, { clientId: 'other', managedBy, resource: `https://r.example/${n}` }),
        id: `${userId}-${n}`,
        app: `Other ${n}`,
        familyHash: `family ${n}`,
        redirectHost: null,
        createdAt: now - n - 1,
        lastUsedAt: now - n - 1,
        expiresAt: now + DAY,
      }));
      await rows().insert(GrantEntity, begun);
    };
    const own = (length: number) => Array<null>(length).fill(null);

    it('one beyond ends the longest idle managed one, although others are idle longer', async () => {
      const userId = await newUser();
      await fill(userId, ['Globex', 'Globex', ...own(98)]);
      const outcome = await open().give(assertion(), access(userId), issue);
      expect(outcome.ended).toEqual([`${userId}-1`]);
      const left = await active(userId);
      expect(left).toHaveLength(100);
      expect(left.map(({ id }) => id)).toContain(outcome.grant.id);
      expect((await open(1).give(assertion(), access(userId), issue)).ended).toEqual([]);
    });

    it('one beyond 100 of its own does not begin, and uses up nothing', async () => {
      const userId = await newUser();
      await fill(userId, own(100));
      const once = assertion();
      const full = 'the account has as many connected apps of its own as it may';
      const refused = open().give(once, access(userId), issue);
      await expect(refused).rejects.toMatchObject(noAccess(full, userId));
      expect(await active(userId)).toHaveLength(100);
      await rows().update(GrantEntity, { id: `${userId}-5` }, { revokedAt: Date.now() });
      expect((await open().give(once, access(userId), issue)).ended).toEqual([]);
      expect(await active(userId)).toHaveLength(100);
    });

    it('parallel ones leave at most 100, and all of its own', async () => {
      const userId = await newUser();
      await fill(userId, own(97));
      const calls = Array.from({ length: 12 }, (_, n) =>
        open(n).give(assertion(), access(userId, { managedBy: `Issuer ${n}` }), issue),
      );
      await Promise.all(calls);
      const left = await active(userId);
      expect(left).toHaveLength(100);
      expect(left.filter(({ managedBy }) => managedBy === null)).toHaveLength(97);
    });
  });
});
