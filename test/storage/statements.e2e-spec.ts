import { DataSource, type EntityManager } from 'typeorm';
import { AuditReader } from '../../apps/server/src/audit/audit-reader.store.js';
import { AuditUsage } from '../../apps/server/src/audit/audit-usage.store.js';
import { ClientStore } from '#libs/oauth';
import { preparedStatements } from '#libs/platform';
import { useGatehouse } from '../support/gatehouse.js';

const WHOLE_TABLE =
  /\bSeq Scan on \w+|\bSCAN (?!CONSTANT ROW|(?:given|keys|listed|of_client|of_user|ranked)\b)\w+/g;

/** The CTE of published clients begins at the first entry of its index, which SQLite may call a scan. */
const WHOLE_TABLE_OF_CLIENTS =
  /Seq Scan on oauth_(?:grants|clients|consents)|SCAN oauth_(?:grants|consents)(?! USING (?:COVERING )?INDEX oauth_grants_published)/;

/** For administrators and metrics; the plans of the lists are checked below. */
const READ_WHOLE_INDEXES = new Set(['list-clients', 'client-record', 'account-figures']);

/** A worker that ran unit specs also has their statements, for a table of their own. */
const OF_UNIT_SPECS = /\bnote\b/;

describe('statements that most requests ask', () => {
  const gatehouse = useGatehouse();
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = gatehouse.app.get(DataSource);
  });

  /** The query plan, independent of parameters and of the number of rows. */
  const planOf = (text: string) =>
    dataSource.transaction(async (manager) =>
      dataSource.options.type === 'postgres'
        ? planOnPostgres(manager, text)
        : manager.query(`EXPLAIN QUERY PLAN ${text}`),
    );

  it('there are some, each of a name of its own', () => {
    const names = preparedStatements().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['signed-in', 'access-token', 'credential']));
  });

  it('all fit the schema, and none reads a whole table', async () => {
    const readsWhole: string[] = [];
    for (const statement of preparedStatements()) {
      for (const text of statement.textsFor(dataSource)) {
        if (OF_UNIT_SPECS.test(text)) continue;
        const [found] = JSON.stringify(await planOf(text)).match(WHOLE_TABLE) ?? [];
        if (found !== undefined && !READ_WHOLE_INDEXES.has(statement.name))
          readsWhole.push(`${statement.name}: ${found}`);
      }
    }
    expect(readsWhole).toEqual([]);
  });

  it('a connection of Postgres prepares one once, and SQLite gives the same rows again', async () => {
    const statement = preparedStatements().find(({ name }) => name === 'own-limit');
    const ann = dataSource.options.type === 'postgres' ? ['ann'] : '["ann"]';
    await dataSource.transaction(async (manager) => {
      await manager.query("INSERT INTO budget_limits (user_id, credits) VALUES ('ann', 7)");
      for (const _ of Array.from({ length: 3 })) {
        const answer = await statement?.run(manager, { keys: ann, count: 1 });
        expect(answer?.rows.map(({ credits }) => Number(credits))).toEqual([7]);
      }
      if (dataSource.options.type !== 'postgres') return;
      const prepared = "SELECT name FROM pg_prepared_statements WHERE name LIKE 'own-limit %'";
      expect(await manager.query(prepared)).toHaveLength(1);
    });
  });
});

describe('what administrators search', () => {
  const gatehouse = useGatehouse();
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = gatehouse.app.get(DataSource);
  });

  /** The plans of the statements that `work` runs on these tables. */
  const plansOf = async (work: () => Promise<unknown>) => {
    const runner = dataSource.createQueryRunner();
    const asked = jest.spyOn(Object.getPrototypeOf(runner) as typeof runner, 'query');
    await work();
    const statements = asked.mock.calls.filter(([sql]) => /audit_events|oauth_/.test(sql));
    asked.mockRestore();
    await runner.release();
    expect(statements).not.toEqual([]);
    return dataSource.transaction(async (manager) => {
      const plans: string[] = [];
      const isPostgres = dataSource.options.type === 'postgres';
      if (isPostgres) await manager.query('SET LOCAL enable_seqscan = off');
      for (const [sql, parameters] of statements) {
        const explain = isPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
        plans.push(JSON.stringify(await manager.query(`${explain} ${sql}`, parameters)));
      }
      return plans.join('\n');
    });
  };

  const now = Date.now();
  it.each([
    ['user', 'audit_events_user', { user: 'ann' }],
    ['client', 'audit_events_client', { client: 'app', since: now }],
    ['request', 'audit_events_request', { request: 'r' }],
    ['network', 'audit_events_network', { network: 'n', until: now }],
    ['actor', 'audit_events_actor', { actor: 'root', since: now, until: now }],
    ['type', 'audit_events_type', { type: 'sign-in' as const, since: now }],
  ])('events by %s are found by %s', async (_what, index, filter) => {
    const reader = gatehouse.app.get(AuditReader);
    const plan = await plansOf(() => reader.list({ ...filter, limit: 50 }));
    expect(plan).toMatch(new RegExp(String.raw`\b(?:${index}|audit_events_personal)\b`));
    expect(plan).not.toMatch(/Seq Scan|SCAN event/);
  });

  it.each(['user', 'client'] as const)('usage of a %s is found by its index', async (by) => {
    const usage = gatehouse.app.get(AuditUsage);
    const plan = await plansOf(() => usage.list(by, 'ann', now));
    expect(plan).toContain(`audit_events_${by}`);
    expect(plan).not.toMatch(/Seq Scan|SCAN audit_events/);
  });

  it('clients are listed without a look at the grants of all', async () => {
    const clients = gatehouse.app.get(ClientStore);
    for (const work of [
      () => clients.list({ limit: 50 }),
      () => clients.get('https://app.example/client.json').catch(() => undefined),
      () => clients.countGrants('app'),
      () => clients.remove('app'),
    ]) {
      expect(await plansOf(work)).not.toMatch(WHOLE_TABLE_OF_CLIENTS);
    }
    expect(await plansOf(() => clients.list({ limit: 50 }))).toContain('oauth_clients_created');
  });
});

async function planOnPostgres(manager: EntityManager, text: string): Promise<unknown> {
  const highest = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const nothing = Array.from({ length: highest }, () => 'NULL').join(', ');
  await manager.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await manager.query('SET LOCAL enable_seqscan = off');
  await manager.query(`PREPARE shown AS ${text}`);
  const plan: unknown = await manager.query(
    `EXPLAIN EXECUTE shown${highest === 0 ? '' : `(${nothing})`}`,
  );
  await manager.query('DEALLOCATE shown');
  return plan;
}
