import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/platform';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { UserEntity } from '../user/user.entity.js';
import { UserStore } from '../user/user.store.js';
import { SessionStore } from './session.store.js';
import { SessionEntity } from './session.entity.js';

const ann = { id: 'ann', displayName: 'Ann' };
const eve = { id: 'eve', displayName: 'Eve' };

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

  it('ends none for an empty id', async () => {
    await add('old', { id: '' });
    expect(await sessions.end(ann, '')).toBeUndefined();
    expect(await listed()).toContain('');
  });

  it('ends one by its id once, and none of another account', async () => {
    const ends = await Promise.all(Array.from({ length: 8 }, () => sessions.end(ann, 'a1')));
    expect(ends.filter(Boolean)).toEqual([{ tokenHash: 'a1', user: ann }]);
    expect(await sessions.end(ann, 'e1')).toBeUndefined();
    expect([await listed(), await listed('eve')]).toEqual([['a2', 'a3'], ['e1']]);
  });

  describe('beyond 100', () => {
    const fill = async (count: number) => {
      for (let n = 0; n < count; n += 1) await add(`more${n}`, { lastSeenAt: 100 + n });
    };

    it('the least recently used end, and never the one that is kept', async () => {
      await fill(98);
      expect(hashes(await sessions.endBeyond(ann, { tokenHash: 'a1' }))).toEqual(['a3']);
      expect(await sessions.endBeyond(ann, { tokenHash: 'a1' })).toEqual([]);
      expect([(await listed()).length, await listed('eve')]).toEqual([100, ['e1']]);
      expect(await listed()).toEqual(expect.arrayContaining(['a1', 'a2', 'more0']));
    });

    it('those that have expired do not count', async () => {
      await fill(97);
      await add('gone', { lastSeenAt: 999, expiresAt: 1 });
      expect(await sessions.endBeyond(ann, { tokenHash: 'a1' })).toEqual([]);
    });

    it('of several that begin at once 100 are left, each of them among those', async () => {
      await fill(97);
      const begun = Array.from({ length: 8 }, (_, n) => `new${n}`);
      await Promise.all(
        begun.map(async (id) => {
          await add(id, { lastSeenAt: 1_000 });
          return sessions.endBeyond(ann, { tokenHash: id });
        }),
      );
      expect(await listed()).toHaveLength(100);
      expect(await listed()).toEqual(expect.arrayContaining(begun));
    });

    it('of calls at once each one that ends is told to one of them', async () => {
      await fill(107);
      const calls = Array.from({ length: 8 }, () => sessions.endBeyond(ann, { tokenHash: 'a1' }));
      const ended = hashes((await Promise.all(calls)).flat());
      expect(ended).toHaveLength(10);
      expect(new Set(ended).size).toBe(10);
    });

    it('at most a batch of 100 ends at once', async () => {
      await fill(250);
      const ends = [100, 53, 0];
      for (const count of ends)
        expect(await sessions.endBeyond(ann, { tokenHash: 'a1' })).toHaveLength(count);
    });
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
});
