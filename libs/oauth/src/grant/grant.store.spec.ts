import type { DataSource } from 'typeorm';
import { SweeperService } from '#libs/platform';
import { beginGrant, describeOAuthOnDatabases } from '../testbed/oauth-database.testbed.js';
import { expiredTokens } from '../token/token.store.js';
import { ClientBlockStore } from '../client/client-block.store.js';
import { expiredConsents } from '../consent/consent.store.js';
import { GrantEntity } from './grant.entity.js';
import { expiredGrants, GrantStore } from './grant.store.js';

const DAY = 24 * 60 * 60 * 1000;
const BEGUN = 1_800_000_000_000;
const COUNT = 1_203;

describeOAuthOnDatabases('the greatest age of grants', (replicas) => {
  const open = () => replicas()[0];
  const apply = (maxAgeMs: number) => new GrantStore(open()).limitAge(maxAgeMs);
  /** The distinct lifetimes of all grants, in days. */
  const ages = async () => {
    const rows = await open().manager.find(GrantEntity);
    const days = rows.map(({ createdAt, expiresAt }) => (expiresAt - createdAt) / DAY);
    return [...new Set(days)].toSorted((a, b) => a - b);
  };

  beforeAll(async () => {
    const grant = await open().manager.findOneByOrFail(GrantEntity, {
      id: await beginGrant(open()),
    });
    await open().manager.delete(GrantEntity, { id: grant.id });
    const row = (n: number) => ({
      ...grant,
      id: `${n % 2 ? 'g' : 'G'}-${n}`,
      createdAt: BEGUN,
      expiresAt: BEGUN + (n % 3 ? 30 : 5) * DAY,
    });
    const rows = Array.from({ length: COUNT }, (_, n) => row(n));
    for (let n = 0; n < COUNT; n += 50) {
      await open().manager.insert(GrantEntity, rows.slice(n, n + 50));
    }
  });
  it('shortens what lasts longer and lengthens nothing, with several replicas at once', async () => {
    expect(await ages()).toEqual([5, 30]);
    await Promise.all([apply(10 * DAY), apply(10 * DAY), apply(10 * DAY)]);
    expect(await ages()).toEqual([5, 10]);
    expect(await apply(90 * DAY)).toBe(0);
    expect(await ages()).toEqual([5, 10]);
    expect(await open().manager.count(GrantEntity)).toBe(COUNT);
  });
});

describeOAuthOnDatabases('a grant whose client has a blocked redirect host', (replicas) => {
  const BLOCKED = 'blocked.example';

  beforeAll(() => new ClientBlockStore(replicas()[0]).add('redirect-host', BLOCKED));

  it.each([
    ['is not usable: one of several', false, null, ['app.example', BLOCKED]],
    [
      'is not usable: the one that its user was sent to, when that is all that is known',
      false,
      BLOCKED,
      null,
    ],
    [
      'is not usable: the one that its user was sent to, also when it is gone',
      false,
      BLOCKED,
      ['app.example'],
    ],
    ['is usable: none', true, 'app.example', ['app.example', `x.${BLOCKED}`]],
    ['is usable: none at all', true, null, []],
  ])('%s', async (_what, isUsable, redirectHost, hosts) => {
    const [open] = replicas();
    const id = await beginGrant(open);
    const clientHosts = hosts && JSON.stringify(hosts);
    await open.manager.update(GrantEntity, { id }, { redirectHost, clientHosts });
    expect(await new GrantStore(open).isUsable(id)).toBe(isUsable);
  });
});

const MOVED_BY_REFRESH = new Set(['expires_at', 'last_used_at']);

const INDEXED = {
  postgres: `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
    AND a.attnum = ANY(i.indkey) WHERE i.indrelid = 'oauth_grants'::regclass`,
  sqlite: `SELECT c.name FROM pragma_index_list('oauth_grants') i, pragma_index_info(i.name) c`,
};

async function indexedColumns(dataSource: DataSource): Promise<string[]> {
  const isPostgres = dataSource.options.type === 'postgres';
  const rows = await dataSource.query(isPostgres ? INDEXED.postgres : INDEXED.sqlite);
  return rows.map(({ name }: { name: string }) => name);
}

describeOAuthOnDatabases('the sweeper of grants', (replicas) => {
  const open = () => replicas()[0];
  const grants = () => open().manager;
  const begin = async (times: Partial<GrantEntity>) => {
    const id = await beginGrant(open());
    await grants().update(GrantEntity, { id }, times);
    return id;
  };
  const dueAt = async (id: string) => (await grants().findOneBy(GrantEntity, { id }))?.sweepDueAt;
  const sweep = () =>
    new SweeperService(open()).add(expiredTokens, expiredGrants, expiredConsents).sweep();

  beforeEach(() => grants().createQueryBuilder().delete().from(GrantEntity).execute());

  it('finds them by a column that no refresh moves: what one moves is in no index', async () => {
    const columns = await indexedColumns(open());
    expect(columns).toContain('sweep_due_at');
    expect(columns.filter((name) => MOVED_BY_REFRESH.has(name))).toEqual([]);
  });

  it('removes those that have expired and looks at the others again when they will have', async () => {
    const now = Date.now();
    const expired = await begin({ expiresAt: now - 1, sweepDueAt: now - 1 });
    const refreshed = await begin({ expiresAt: now + 30 * DAY, sweepDueAt: now - 1 });
    const notDue = await begin({ expiresAt: now + 30 * DAY, sweepDueAt: now + DAY });
    await sweep();
    expect(await Promise.all([expired, refreshed, notDue].map((id) => dueAt(id)))).toEqual([
      undefined,
      now + 30 * DAY,
      now + DAY,
    ]);
  });

  it('looks at those at once of a replica that knows nothing of when they are due', async () => {
    const now = Date.now();
    const expired = await begin({ expiresAt: now - 1 });
    const good = await begin({ expiresAt: now + DAY });
    await sweep();
    expect([await dueAt(expired), await dueAt(good)]).toEqual([undefined, now + DAY]);
  });

  it('comes to an end with many batches, several replicas and others who change them', async () => {
    const now = Date.now();
    const grant = await grants().findOneByOrFail(GrantEntity, { id: await beginGrant(open()) });
    const rows = Array.from({ length: 450 }, (_, n) => ({
      ...grant,
      id: `g-${n}`,
      expiresAt: n % 3 ? now + DAY : now - 1,
    }));
    for (let n = 0; n < 450; n += 50) await grants().insert(GrantEntity, rows.slice(n, n + 50));
    const refresh = (id: string) =>
      grants().update(GrantEntity, { id }, { expiresAt: now + 2 * DAY });
    const good = rows.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id);
    await Promise.all([sweep(), sweep(), ...good.slice(0, 40).map(refresh)]);
    await sweep();
    const left = await grants().find(GrantEntity);
    expect(
      left
        .filter(({ id }) => id !== grant.id)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(good.toSorted());
    expect(left.filter(({ sweepDueAt }) => sweepDueAt <= now)).toEqual([]);
  });
});

describeOAuthOnDatabases('the pages of grants', (replicas) => {
  const open = () => replicas()[0];

  it('go on after the last one, also when that was revoked, and have those of the user alone', async () => {
    const { manager } = open();
    const first = await manager.findOneByOrFail(GrantEntity, { id: await beginGrant(open()) });
    await beginGrant(open());
    const another = (id: string) => ({ ...first, id });
    await manager.insert(GrantEntity, [another('a'), another('b'), another('c')]);
    await manager.update(GrantEntity, { id: first.id }, { createdAt: first.createdAt - 1 });
    const store = new GrantStore(open());
    const page = async (after?: string) => {
      const { items, next } = await store.page(first.userId, { limit: 2, after });
      return { ids: items.map(({ id }) => id), next };
    };
    expect(await page()).toEqual({ ids: ['c', 'b'], next: 'b' });
    await manager.update(GrantEntity, { id: 'b' }, { revokedAt: 1 });
    expect(await page('b')).toEqual({ ids: ['a', first.id], next: null });
    await expect(page('no-such-id')).rejects.toMatchObject({ status: 404 });
  });
});
