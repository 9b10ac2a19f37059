import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/platform';
import {
  advanceClock,
  describeOnDatabases,
  describeOnPostgres,
  eventually,
  restoreClock,
  sqliteForTests,
} from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { UserEntity } from '../user/user.entity.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { SessionStore } from './session.store.js';
import { SessionEntity } from './session.entity.js';

const ann = { id: 'ann', displayName: 'Ann' };
const eve = { id: 'eve', displayName: 'Eve' };
const a2 = { user: ann, tokenHash: 'a2' };

describe('SessionStore', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let sessions: SessionStore;

  beforeEach(async () => {
    sqlite = await sqliteForTests();
    dataSource = createDataSource(
      { type: 'sqlite', path: sqlite.path },
      { entities: [UserEntity, SessionEntity], migrations: accountsMigrations },
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    for (const user of [ann, eve]) {
      await dataSource.manager.insert(UserEntity, { ...user, createdAt: 0 });
    }
    sessions = new SessionStore(dataSource, new UserStore(dataSource));
    await add('a1', { credentialId: 'one', lastSeenAt: 1 });
    await add('a2', { credentialId: 'two', lastSeenAt: 3 });
    await add('a3', { credentialId: 'one', lastSeenAt: 2 });
    await add('e1', { userId: 'eve', credentialId: 'one' });
  });
  afterEach(async () => {
    await dataSource.destroy();
    await sqlite.dispose();
  });

  const add = (id: string, fields: Partial<SessionEntity>) =>
    dataSource.manager.insert(SessionEntity, {
      tokenHash: id,
      id,
      userId: 'ann',
      origin: 'https://gate.example',
      createdAt: 0,
      lastSeenAt: 0,
      expiresAt: Date.now() + 60_000,
      ...fields,
    });
  const listed = async (userId = 'ann') => (await sessions.list(userId)).map(({ id }) => id);
  const hashes = (ended: readonly { tokenHash: string }[]) => ended.map((one) => one.tokenHash);

  it('lists the account’s own that have not expired, the last used first, at most 100', async () => {
    await add('gone', { expiresAt: 1 });
    expect(await listed()).toEqual(['a2', 'a3', 'a1']);
    for (let n = 0; n < 100; n += 1) await add(`more${n}`, {});
    expect(await listed()).toHaveLength(100);
  });

  it('knows when a session ends by its hash, until it has ended', async () => {
    const expiresAt = Date.now() + 30_000;
    await add('brief', { expiresAt });
    await add('gone', { expiresAt: 1 });
    expect(await sessions.expiryOf('brief')).toBe(expiresAt);
    expect(await sessions.expiryOf('gone')).toBeUndefined();
  });

  it('ends none for an empty id', async () => {
    await add('old', { id: '' });
    expect(await sessions.endBy(a2, undefined, '')).toEqual([]);
    expect(await listed()).toContain('');
  });

  it('ends one by its id once, and none of another account', async () => {
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => sessions.endBy(a2, undefined, 'a1')),
    );
    expect(ends.flat()).toEqual([{ tokenHash: 'a1', user: ann }]);
    expect(await sessions.endBy(a2, undefined, 'e1')).toEqual([]);
    expect([await listed(), await listed('eve')]).toEqual([['a2', 'a3'], ['e1']]);
  });

  it('ends all but the one that is kept', async () => {
    const ended = await sessions.endAll(dataSource.manager, ann, { tokenHash: 'a2' });
    expect(hashes(ended).toSorted()).toEqual(['a1', 'a3']);
    expect([await listed(), await listed('eve')]).toEqual([['a2'], ['e1']]);
  });

  it('ends those that began with a passkey, but the one that is kept', async () => {
    const kept = { tokenHash: 'a3' };
    expect(hashes(await sessions.endBegunWith(dataSource.manager, ann, 'one', kept))).toEqual([
      'a1',
    ]);
    expect([await listed(), await listed('eve')]).toEqual([['a2', 'a3'], ['e1']]);
  });

  it('takes the passkey from the one that is kept where its passkey is removed', async () => {
    const kept = { tokenHash: 'a3' };
    await sessions.endBegunWith(dataSource.manager, ann, 'two', kept);
    expect((await sessions.find('a3'))?.session.credentialId).toBe('one');
    await sessions.endBegunWith(dataSource.manager, ann, 'one', kept);
    expect((await sessions.find('a3'))?.session.credentialId).toBeNull();
  });

  it('says from 50 sessions of an account on that there are many', async () => {
    for (let n = 0; n < 46; n += 1) await add(`more${n}`, {});
    expect((await sessions.find('a1'))?.hasManySessions).toBe(false);
    await add('more', {});
    expect((await sessions.find('a1'))?.hasManySessions).toBe(true);
    expect((await sessions.find('e1'))?.hasManySessions).toBe(false);
  });
});

const schema = { entities: [UserEntity, SessionEntity], migrations: accountsMigrations };

describeOnDatabases('sessions beyond 100', schema, (replicas) => {
  let user: User;
  let users = 0;
  let used: number;
  let made: Map<string | null, number>;

  const storeAt = (n: number) => {
    const dataSource = replicas()[n % 2 === 0 ? 0 : 1];
    return new SessionStore(dataSource, new UserStore(dataSource));
  };

  beforeEach(async () => {
    user = { id: `user-${(users += 1)}`, displayName: 'Ann' };
    used = 0;
    made = new Map();
    await new UserStore(replicas()[0]).insert(replicas()[0].manager, user);
  });
  afterEach(restoreClock);

  /** Adds a session that was used after all others. */
  const add = async (id: string, fields: Partial<SessionEntity> = {}) => {
    await replicas()[0].manager.insert(SessionEntity, {
      tokenHash: `${user.id} ${id}`,
      id,
      userId: user.id,
      origin: 'https://gate.example',
      createdAt: 0,
      lastSeenAt: (used += 1),
      expiresAt: Date.now() + 60_000,
      ...fields,
    });
  };
  /** Adds `count` sessions: `<credentialId>-0` is the one whose last use is the longest ago. */
  const addMany = async (count: number, credentialId: string | null, fields = {}) => {
    const from = made.get(credentialId) ?? 0;
    made.set(credentialId, from + count);
    for (let n = from; n < from + count; n += 1)
      await add(`${credentialId}-${n}`, { credentialId, ...fields });
  };
  const ids = async (credentialId?: string | null) =>
    (await replicas()[0].manager.findBy(SessionEntity, { userId: user.id }))
      .filter((one) => credentialId === undefined || one.credentialId === credentialId)
      .map(({ id }) => id)
      .toSorted();
  const endSurplus = async (kept: string, n = 0) =>
    (await storeAt(n).endSurplusSessions(user, { tokenHash: `${user.id} ${kept}` }))
      .map(({ tokenHash }) => tokenHash.slice(user.id.length + 1))
      .toSorted();

  it('the least recently used of one passkey end, and never the one that is kept', async () => {
    await addMany(101, 'own');
    expect(await endSurplus('own-0')).toEqual(['own-1']);
    expect(await endSurplus('own-0')).toEqual([]);
    expect(await ids()).toContain('own-0');
  });

  it('a passkey with more sessions loses its own, however lately they were used', async () => {
    await addMany(1, 'owner');
    for (let n = 0; n < 5; n += 1) {
      await addMany(n === 0 ? 100 : 20, 'thief');
      const ended = await endSurplus(`thief-${n * 20 + 99}`);
      expect(ended).toHaveLength(n === 0 ? 1 : 20);
      expect(ended).not.toContain('owner-0');
    }
    await addMany(1, 'owner');
    await endSurplus('owner-1');
    expect(await ids('owner')).toEqual(['owner-0', 'owner-1']);
    expect(await ids()).toHaveLength(100);
  });

  it('the four last used of a passkey stay, whatever 19 others, links and other ways in add', async () => {
    await addMany(30, 'owner');
    await addMany(10, null, { beganBy: 'external' });
    await addMany(10, null, { beganBy: 'recovery' });
    await addMany(10, null);
    for (let n = 0; n < 19; n += 1) {
      await addMany(20, `thief${n}`);
      await endSurplus(`thief${n}-19`);
    }
    for (let n = 0; n < 4; n += 1) await endSurplus('thief18-19');
    expect(await ids()).toHaveLength(100);
    const owners = await ids('owner');
    expect(owners).toEqual(
      expect.arrayContaining(['owner-26', 'owner-27', 'owner-28', 'owner-29']),
    );
  });

  it('those of passkeys that were removed count together, as do those of each way without one', async () => {
    await addMany(40, 'owner');
    await addMany(30, null, { beganBy: 'external' });
    for (let n = 0; n < 31; n += 1) await add(`removed-${n}`, { credentialId: null });
    expect(await endSurplus('removed-30')).toEqual(['owner-0']);
    for (let n = 31; n < 51; n += 1) await add(`removed-${n}`, { credentialId: null });
    const ended = await endSurplus('removed-50');
    expect(ended.filter((id) => id.startsWith('removed'))).toHaveLength(16);
    expect(ended.filter((id) => id.startsWith('owner'))).toHaveLength(4);
  });

  it('those before the 50th stay for a minute, in which use tells which are idle', async () => {
    const expiresAt = Date.now() + 600_000;
    await addMany(40, 'owner', { expiresAt });
    for (let n = 0; n < 8; n += 1) {
      await addMany(10, `thief${n}`, { createdAt: Date.now(), expiresAt });
      await endSurplus(`thief${n}-9`);
    }
    expect(await ids()).toHaveLength(100);
    expect(await ids('owner')).toHaveLength(40);
    // As the use of the longest idle one is recorded, now that there are many.
    const recorded = { lastSeenAt: (used += 1) };
    await replicas()[0].manager.update(
      SessionEntity,
      { tokenHash: `${user.id} owner-0` },
      recorded,
    );
    advanceClock(60_001);
    await addMany(20, 'thief0', { createdAt: Date.now(), expiresAt });
    expect(await endSurplus('thief0-29')).toContain('owner-1');
    expect(await ids('owner')).toContain('owner-0');
  });

  it('the two last used of a passkey stay in that minute, too', async () => {
    await addMany(50, 'thief');
    const createdAt = Date.now();
    await addMany(4, 'owner', { createdAt });
    for (let n = 0; n < 19; n += 1) {
      await addMany(20, `thief${n}`, { createdAt });
      await endSurplus(`thief${n}-19`);
    }
    for (let n = 0; n < 4; n += 1) await endSurplus('thief18-19');
    expect(await ids()).toHaveLength(100);
    expect(await ids('owner')).toEqual(expect.arrayContaining(['owner-2', 'owner-3']));
  });

  it('those that have expired do not count', async () => {
    await addMany(100, 'own');
    await add('gone', { expiresAt: 1 });
    expect(await endSurplus('own-0')).toEqual([]);
  });

  it.each([
    ['one passkey', () => 'own'],
    ['several passkeys', (n: number) => `passkey-${n % 3}`],
    ['a passkey each', (n: number) => `passkey-${n}`],
  ])(
    'of several that begin at once with %s 100 are left, each of them among those',
    async (_with, passkeyOf) => {
      await addMany(60, 'own');
      for (let n = 0; n < 40; n += 1) await add(`more-${n}`, { credentialId: `passkey-${n % 5}` });
      const begun = Array.from({ length: 16 }, (_, n) => `new-${n}`);
      const ended = await Promise.all(
        begun.map(async (id, n) => {
          await add(id, { credentialId: passkeyOf(n), lastSeenAt: 1_000 });
          return endSurplus(id, n);
        }),
      );
      expect(ended.flat()).toHaveLength(16);
      expect(new Set(ended.flat()).size).toBe(16);
      expect(await ids()).toHaveLength(100);
      expect(await ids()).toEqual(expect.arrayContaining(begun));
    },
  );

  it('at most a batch of 100 ends at once', async () => {
    await addMany(253, 'own');
    for (const count of [100, 53, 0]) expect(await endSurplus('own-0')).toHaveLength(count);
  });
});

describeOnPostgres('sessions that end twice at once', schema, (replicas) => {
  const user = { id: 'ann', displayName: 'Ann' };
  let store: SessionStore;

  beforeEach(async () => {
    const [here] = replicas();
    const users = new UserStore(here);
    await users.insert(here.manager, user);
    store = new SessionStore(here, users);
    const common = { userId: user.id, origin: 'https://gate.example', createdAt: 0 };
    const expiresAt = Date.now() + 60_000;
    // The rows are in the other order than their hashes.
    for (let n = 399; n >= 200; n -= 1)
      await here.manager.insert(SessionEntity, {
        ...common,
        tokenHash: `${n}`,
        id: `${n}`,
        lastSeenAt: 399 - n,
        expiresAt,
      });
  });
  afterEach(async () => {
    const [here] = replicas();
    await new UserStore(here).delete(here.manager, user.id);
  });

  const waiting = (count: number) =>
    eventually(async () => {
      const blocked = await replicas()[1].query<object[]>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(blocked).toHaveLength(count);
    });

  it('do so without a deadlock', async () => {
    const ends: Promise<object[]>[] = [];
    await replicas()[1].transaction(async (other) => {
      await other.query(`SELECT 1 FROM sessions WHERE token_hash = '350' FOR SHARE`);
      ends.push(store.endSurplusSessions(user, { tokenHash: '' }));
      await waiting(1);
      ends.push(store.endAll(undefined, user));
      await waiting(2);
    });
    expect((await Promise.all(ends)).map(({ length }) => length)).toEqual([100, 100]);
  });

  it('leave 100 where a use between two sign-ins changes which ones end', async () => {
    const [here, other] = replicas();
    const ends: Promise<object[]>[] = [];
    await other.transaction(async (manager) => {
      expect(await new UserStore(other).lock(manager, user.id)).toBe(true);
      ends.push(store.endSurplusSessions(user, { tokenHash: '' }));
      await waiting(1);
      await here.manager.update(SessionEntity, { tokenHash: '399' }, { lastSeenAt: 1_000 });
      ends.push(store.endSurplusSessions(user, { tokenHash: '' }));
      await waiting(2);
    });
    expect((await Promise.all(ends)).flat()).toHaveLength(100);
    const left = await here.manager.findBy(SessionEntity, { userId: user.id });
    expect(left.map(({ tokenHash }) => tokenHash)).toContain('399');
    expect(left).toHaveLength(100);
  });

  it.each([
    ['a sign-in beyond 100', async () => store.endSurplusSessions(user, { tokenHash: '' })],
    ['signing out elsewhere', async () => store.endAll(undefined, user, { tokenHash: '399' })],
  ])('do so without a deadlock with a change that holds its session: %s', async (_what, end) => {
    const ends: Promise<object[]>[] = [];
    const ended = await replicas()[1].transaction(async (other) => {
      expect(await store.lock(other, { user, tokenHash: '350' })).toBe(true);
      ends.push(end());
      await waiting(1);
      return store.endAll(other, user, { tokenHash: '350' });
    });
    expect(ended).toHaveLength(199);
    const [others] = await Promise.all(ends);
    expect(others?.length).toBeLessThanOrEqual(1);
  });
});
