import { DataSource, type EntityManager } from 'typeorm';
import { preparedStatements } from '#libs/platform';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const WHOLE_TABLE =
  /\bSeq Scan on \w+|\bSCAN (?!CONSTANT ROW|(?:given|hosts|keys|of_client|of_user|ranked)\b)\w+/g;

/** A worker that ran unit specs also has their statements, for a table of their own. */
const OF_UNIT_SPECS = /\bnote\b/;

describe('statements that most requests ask', () => {
  let gatehouse: Gatehouse;
  let dataSource: DataSource;

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    dataSource = gatehouse.app.get(DataSource);
  });
  afterAll(() => gatehouse.stop());

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
        if (found !== undefined) readsWhole.push(`${statement.name}: ${found}`);
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
        const answer = await statement?.run(manager, [ann, 1]);
        expect(answer?.rows.map(({ credits }) => Number(credits))).toEqual([7]);
      }
      if (dataSource.options.type !== 'postgres') return;
      const prepared = "SELECT name FROM pg_prepared_statements WHERE name LIKE 'own-limit %'";
      expect(await manager.query(prepared)).toHaveLength(1);
    });
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
