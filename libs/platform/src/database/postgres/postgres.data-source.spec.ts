import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { requestAccount } from '../../request-context.js';
import {
  describeWithPostgres,
  eventually,
  postgresForTests,
  type TestPostgres,
} from '../../testing.js';
import { createDataSource } from '../migrate.data-source.js';
import { isDatabaseOutage } from '../../outage.js';
import { itIsPooled, noteSchema, notesIn, writeNote } from '../data-source.contract.js';
import { postgresOptions } from './postgres.data-source.js';

describeWithPostgres('a data source on Postgres', () => {
  itIsPooled(async () => {
    const { url, dispose } = await postgresForTests();
    const options = { ...postgresOptions(url), ...noteSchema, connectTimeoutMS: 60_000 };
    const dataSource = await new DataSource(options).initialize();
    const close = async () => {
      await dataSource.destroy();
      await dispose();
    };
    return { dataSource, close };
  });
});

describeWithPostgres('a data source on Postgres beyond a pool', () => {
  let database: TestPostgres;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await postgresForTests();
    dataSource = createDataSource({ type: 'postgres', url: database.url }, noteSchema);
    await dataSource.initialize();
    await dataSource.runMigrations();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.dispose();
  });

  const endConnections = async () => {
    const other = createDataSource({ type: 'postgres', url: database.url }, {});
    await other.initialize();
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await other.destroy();
  };

  it.each([
    ['application_name', 'gatehouse'],
    ['statement_timeout', '5s'],
    ['idle_in_transaction_session_timeout', '10s'],
  ])('sets %s to %s', async (setting, value) => {
    expect(await dataSource.query(`SHOW ${setting}`)).toEqual([{ [setting]: value }]);
  });

  it('begins transactions of an account one after the other, six without an account, and ten in all', async () => {
    const begun: string[] = [];
    const end = Promise.withResolvers<void>();
    const transaction = async (of: string) =>
      dataSource.transaction(async () => {
        begun.push(of);
        await end.promise;
      });
    const without = Array.from({ length: 8 }, () => 'no account');
    const others = ['bob', 'cy', 'dan', 'joe'];
    const all = [
      ...without.map(transaction),
      ...['ann', 'ann', ...others].map((of) => requestAccount.run(of, () => transaction(of))),
    ];
    await eventually(() => expect(begun).toHaveLength(10));
    expect(begun.toSorted()).toEqual(['ann', 'bob', 'cy', 'dan', ...without.slice(2)]);
    expect(await notesIn(dataSource)).toEqual([]);
    end.resolve();
    await Promise.all(all);
    expect(begun).toHaveLength(14);
  });

  it('leaves connections to reads while single writes wait for a row, those of an account with one', async () => {
    await writeNote(dataSource.manager, 'a');
    const edit = (target: Pick<DataSource, 'query'>): Promise<unknown> =>
      target.query(`UPDATE note SET edits = edits + 1 WHERE text = 'a'`);
    const end = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = dataSource.transaction(async (manager) => {
      await edit(manager);
      held.resolve();
      await end.promise;
    });
    await held.promise;
    const editTimes = (count: number) => Array.from({ length: count }, () => edit(dataSource));
    const locked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const wait = (count: number) =>
      eventually(async () => expect(await dataSource.query(locked)).toHaveLength(count));
    const ofAnn = requestAccount.run('ann', () => editTimes(12));
    await wait(1);
    await requestAccount.run('bob', () => writeNote(dataSource, 'b'));
    const others = editTimes(12);
    await wait(9);
    end.resolve();
    await Promise.all([holding, ...ofAnn, ...others]);
    expect(await dataSource.query(`SELECT edits FROM note WHERE text = 'a'`)).toEqual([
      { edits: 25 },
    ]);
  });

  it('begins a transaction of an account within another one at once', async () => {
    await requestAccount.run('ann', () =>
      dataSource.transaction(() => dataSource.transaction((manager) => writeNote(manager, 'a'))),
    );
    expect(await notesIn(dataSource)).toEqual(['a']);
  });

  it('outlives the death of its idle connections', async () => {
    const pid = (): Promise<unknown> => dataSource.query('SELECT pg_backend_pid()');
    const untilAnswered = (): Promise<unknown> => pid().catch(untilAnswered);
    const before = await pid();
    await endConnections();

    expect(await untilAnswered()).not.toEqual(before);
  });

  it('takes the death of a connection inside a transaction for an outage', async () => {
    const transaction = dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      await endConnections();
      await writeNote(manager, 'b');
    });

    await expect(transaction.catch(isDatabaseOutage)).resolves.toBe(true);
    await writeNote(dataSource, 'a');
  });

  it('hangs up on a query that is not answered in time', async () => {
    const options = postgresOptions(database.url);
    const hasty = new DataSource({ ...options, extra: { ...options.extra, query_timeout: 50 } });
    await hasty.initialize();
    const transaction = hasty.transaction((manager) => manager.query('SELECT pg_sleep(60)'));

    await expect(transaction.catch(isDatabaseOutage)).resolves.toBe(true);
    await expect(hasty.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await hasty.destroy();
  });

  it('waits longer for its first connection than for any other', async () => {
    const { master } = dataSource.driver as PostgresDriver;
    expect(dataSource.options).toMatchObject({ connectTimeoutMS: 10_000 });
    expect(master.options).toMatchObject({ connectionTimeoutMillis: 1000 });
  });

  it('cannot be opened when the port has no listener', async () => {
    const unreachable = createDataSource(
      { type: 'postgres', url: 'postgres://u@127.0.0.1:1/d' },
      {},
    );

    await expect(unreachable.initialize().catch(isDatabaseOutage)).resolves.toBe(true);
  });
});
