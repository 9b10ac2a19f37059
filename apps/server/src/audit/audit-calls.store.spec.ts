import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { v7 } from 'uuid';
import type { EventFacts } from '#libs/accounts';
import { preparedStatements } from '#libs/platform';
import { describeOnDatabases, eventually } from '#libs/platform/testing';
import { auditRow } from '../outbox/outbox.testbed.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { auditMigrations } from './audit-migrations.js';
import { insertAuditRows } from './audit.store.js';
import { AuditConnectionCalls } from './audit-calls.store.js';

const schema = { entities: [AuditEventEntity], migrations: auditMigrations };
const DAY_MS = 24 * 60 * 60 * 1000;
const TOOL: EventFacts = { tool: 'run_code', outcome: 'done', kind: 'tool', name: 'run_code' };

describeOnDatabases('calls of a connection', schema, (replicas) => {
  const reader = (at: 0 | 1 = 1) => new AuditConnectionCalls(replicas()[at]);
  let grantId: string;

  beforeEach(() => {
    grantId = randomUUID();
  });

  const call = (facts: EventFacts | null, more: Partial<AuditEventEntity> = {}) => {
    const at = more.at ?? Date.now();
    return auditRow('ann', {
      id: v7({ msecs: at }),
      type: 'tool-called',
      grantId,
      facts: facts && JSON.stringify(facts),
      at,
      ...more,
    });
  };
  const write = async (rows: AuditEventEntity[], at: 0 | 1 = 0) => {
    for (let n = 0; n < rows.length; n += 1_000) {
      await insertAuditRows(replicas()[at], rows.slice(n, n + 1_000), []);
    }
  };

  /** All pages, with what happens before each further one. */
  async function pages(meanwhile: () => Promise<void> = async () => {}, tool?: string) {
    const read = [];
    let before: string | undefined;
    do {
      const { calls, next } = await reader().page(grantId, { before, tool });
      read.push(calls);
      before = next ?? undefined;
      await meanwhile();
    } while (before !== undefined);
    return read;
  }
  const ids = (read: Awaited<ReturnType<typeof pages>>) => read.flat().map(({ id }) => id);

  it('are told as their person knows them', async () => {
    const of = { title: 'Add', page: 'shop.example', pageTitle: 'Shop' };
    const approved = { ...TOOL, name: 'add', ...of, approved: 'once' as const };
    const rows = [
      call({ tool: 'prompt plan', outcome: 'failed' }),
      call(TOOL, { at: 1_700_000_000_000, credits: 3, durationMs: 12 }),
      call(approved, { count: 7, lastAt: Date.now() }),
      call(null, { count: 4 }),
    ];
    await write(rows);
    const { calls, next } = await reader().page(grantId);
    expect(next).toBeNull();
    const byId = new Map(calls.map((each) => [each.id, each]));
    const [old, plain, onPage, rest] = rows.map(({ id }) => byId.get(id));
    expect(plain).toEqual({
      id: rows[1]?.id,
      at: 1_700_000_000_000,
      lastAt: 1_700_000_000_000,
      count: 1,
      kind: 'tool',
      name: 'run_code',
      title: 'run_code',
      page: null,
      outcome: 'done',
      credits: 3,
      durationMs: 12,
      approved: null,
    });
    const page = { host: 'shop.example', title: 'Shop' };
    expect(onPage).toMatchObject({ name: 'add', title: 'Add', page, approved: 'once', count: 7 });
    expect(onPage?.lastAt).toBe(rows[2]?.lastAt);
    expect(old).toMatchObject({ kind: 'prompt', name: 'prompt plan', outcome: 'failed' });
    expect(rest).toMatchObject({ kind: null, name: null, title: null, outcome: null, count: 4 });
  });

  it('are those of no other connection, and nothing else of this one', async () => {
    await write([call(TOOL, { grantId: 'another' }), call(TOOL, { grantId: null })]);
    await write([call(null, { type: 'token-refreshed' })]);
    expect(await reader().page(grantId)).toEqual({ calls: [], next: null });
    expect(await reader().summary([grantId])).toEqual(new Map());
  });

  it('come in pages of 100, newest first, each once, whatever is written meanwhile', async () => {
    const start = Date.now() - 1_000_000;
    const rows = Array.from({ length: 250 }, (_, n) => call(TOOL, { at: start + n }));
    await write(rows.slice(0, 125), 0);
    await write(rows.slice(125), 1);
    const read = await pages(() => write([call(TOOL), call(TOOL, { at: start - 1 })]));
    expect(read.slice(0, 2).map(({ length }) => length)).toEqual([100, 100]);
    const all = ids(read);
    expect(all.slice(0, 250)).toEqual(rows.map(({ id }) => id).toReversed());
    expect(new Set(all).size).toBe(all.length);
  });

  it('come in pages of another size', async () => {
    const start = Date.now() - 1_000_000;
    const rows = Array.from({ length: 250 }, (_, n) => call(TOOL, { at: start + n }));
    await write(rows);
    const newest = rows.map(({ id }) => id).toReversed();
    for (const limit of [1, 100, 101, 249]) {
      const { calls, next } = await reader().page(grantId, { limit });
      expect(calls.map(({ id }) => id)).toEqual(newest.slice(0, limit));
      expect(next).toBe(newest[limit - 1]);
    }
    expect((await reader().page(grantId, { limit: 1000 })).calls).toHaveLength(250);
    expect(await reader().page(grantId, { limit: 250 })).toMatchObject({ next: null });
  });

  it('go on after none that is not one of them', async () => {
    const [mine, other] = [call(TOOL), call(TOOL, { grantId: 'another' })];
    await write([mine, other]);
    for (const before of ['x', '', randomUUID(), other.id]) {
      await expect(reader().page(grantId, { before })).rejects.toMatchObject({ status: 404 });
    }
    expect(await reader().page(grantId, { before: mine.id })).toEqual({ calls: [], next: null });
  });

  it('are found by their name, of earlier versions too', async () => {
    const own = call({ ...TOOL, tool: 'page_*', name: 'add' });
    const rows = [own, call(TOOL), call({ tool: 'run_code', outcome: 'done' }), call(null)];
    await write(rows);
    expect(ids(await pages(undefined, 'add'))).toEqual([own.id]);
    expect(ids(await pages(undefined, 'run_code')).toSorted()).toEqual(
      [rows[1]?.id, rows[2]?.id].toSorted(),
    );
    expect(ids(await pages(undefined, 'page_*'))).toEqual([]);
  });

  it('are counted by the days of UTC, and of 30 days', async () => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const old = call(TOOL, { at: today - 30 * DAY_MS, count: 9 });
    await write([old, call(TOOL, { at: today - 29 * DAY_MS, count: 2 })]);
    await write([call(TOOL, { at: today - 1, count: 5 }), call(TOOL, { at: today, count: 1 })]);
    await write([call(null, { at: today, count: 3, lastAt: today + 5 })], 1);
    const days = await reader(0).days(grantId);
    expect(days).toHaveLength(30);
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    expect(days.filter(({ calls }) => calls > 0)).toEqual([
      { day: dayOf(today - 29 * DAY_MS), calls: 2 },
      { day: dayOf(today - DAY_MS), calls: 5 },
      { day: dayOf(today), calls: 4 },
    ]);
    const idle = randomUUID();
    const summary = await reader(0).summary([grantId, idle]);
    expect([...summary.keys()]).toEqual([grantId]);
    expect(summary.get(grantId)?.calls).toBeLessThanOrEqual(11);
    expect(summary.get(grantId)?.calls).toBeGreaterThanOrEqual(9);
    expect(summary.get(grantId)?.lastAt).toBe(today + 5);
  });

  describe('among 100,000 others', () => {
    let one: string;

    beforeAll(async () => {
      one = randomUUID();
      grantId = one;
      const start = Date.now() - 29 * DAY_MS;
      const owners = Array.from({ length: 50 }, () => randomUUID());
      const rows = Array.from({ length: 100_000 }, (_, n) => {
        const owner = n % 10 === 0 ? one : (owners[n % 50] ?? one);
        return call(TOOL, { at: start + n * 20_000, grantId: owner });
      });
      await write(rows);
      const [dataSource] = replicas();
      if (dataSource.options.type === 'sqlite') return void (await dataSource.query('ANALYZE'));
      // While another transaction reads, as autovacuum's own may, rows do not become visible to all.
      await eventually(async () => {
        await dataSource.query('VACUUM ANALYZE audit_events');
        const [table] = await dataSource.query<object[]>(
          `SELECT relpages - relallvisible AS hidden FROM pg_class WHERE oid = 'audit_events'::regclass`,
        );
        expect(table).toEqual({ hidden: 0 });
      });
    });

    const planOf = async (dataSource: DataSource, name: string, values: Record<string, string>) => {
      const isSqlite = dataSource.options.type === 'sqlite';
      const statement = preparedStatements().find((each) => each.name === name);
      const [text = ''] = statement?.textsFor(dataSource) ?? [];
      // Parameters as literals: their order differs by dialect.
      const names = Object.keys(values);
      const explained = text.replaceAll(/[$?](\d+)/g, (_, n: string) => {
        const value = values[names[Number(n) - 1] ?? ''];
        return value === undefined ? 'NULL' : `'${value}'`;
      });
      const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
      return JSON.stringify(await dataSource.query(`${explain} ${explained}`));
    };

    it.each([
      ['connection-calls', () => ({ connection: one, before: 'f' })],
      ['connection-days', () => ({ connection: one, first: '0' })],
      [
        'connection-summaries',
        (isSqlite: boolean): Record<string, string> =>
          isSqlite
            ? { connections: JSON.stringify([one]), first: '0' }
            : { connections: `{${one}}`, count: '1', first: '0' },
      ],
    ])('%s reads the index of calls, sorts no list, and no row for a sum', async (name, values) => {
      const [dataSource] = replicas();
      const isSqlite = dataSource.options.type !== 'postgres';
      const plan = await planOf(dataSource, name, values(isSqlite));
      expect(plan).toContain('audit_events_calls');
      expect(plan).not.toMatch(/Seq Scan|SCAN audit_events/);
      const isSum = name !== 'connection-calls';
      expect(!isSum && /Sort|TEMP B-TREE/.test(plan)).toBe(false);
      expect(/Index Only Scan|COVERING INDEX/.test(plan)).toBe(isSum);
    });

    it('are all read, page by page', async () => {
      grantId = one;
      expect(new Set(ids(await pages())).size).toBe(10_000);
      const summary = await reader().summary([one]);
      expect(summary.get(one)?.calls).toBe(10_000);
      const days = await reader().days(one);
      expect(days.reduce((sum, { calls }) => sum + calls, 0)).toBe(10_000);
    });
  });
});
