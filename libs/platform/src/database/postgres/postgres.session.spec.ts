import { Logger } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { describeWithPostgres, postgresForTests, type TestPostgres } from '../../testing.js';
import { createDataSource } from '../migrate.data-source.js';
import { isDatabaseOutage } from '../../outage.js';
import { noteSchema, writeNote } from '../data-source.contract.js';
import { PreparedStatement } from '../prepared-statement.js';

const FIND = new PreparedStatement<'text'>(
  'find-note',
  'SELECT edits FROM note WHERE text = :text',
);

describeWithPostgres('a prepared statement on Postgres', () => {
  let database: TestPostgres;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await postgresForTests();
    dataSource = createDataSource({ type: 'postgres', url: database.url }, noteSchema);
    await dataSource.initialize();
    await dataSource.runMigrations();
    await writeNote(dataSource, 'a');
    await together();
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.dispose();
  });

  const edits = async (on: DataSource | EntityManager) => (await FIND.run(on, { text: 'a' })).rows;

  /** On several connections of the pool. */
  const together = () => Promise.all(Array.from({ length: 8 }, () => edits(dataSource)));

  const widen = () => dataSource.query('ALTER TABLE note ALTER COLUMN edits TYPE bigint');

  it('is refused on the manager of a transaction that is over: others have its connection by then', async () => {
    const ended = await dataSource.transaction(async (manager) => manager);
    await expect(edits(ended)).rejects.toThrow('released');
  });

  it('gives the rows of a schema that a newer replica has changed, on whatever connection', async () => {
    await widen();
    expect(new Set((await together()).flat().map((row) => row['edits']))).toEqual(new Set(['0']));
  });

  it('goes without its name once it was lost, as behind an undetected pooler', async () => {
    const lines: string[] = [];
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => {
      lines.push(String(line));
    });
    await dataSource.query('DEALLOCATE ALL');
    expect((await together()).flat().map((row) => row['edits'])).toEqual(Array(8).fill(0));
    const known = 'SELECT count(*)::int AS count FROM pg_prepared_statements';
    const transactions = Array.from({ length: 10 }, () =>
      dataSource.transaction(async (manager) => {
        await manager.query('DEALLOCATE ALL');
        const rows = await edits(manager);
        return [rows, await manager.query(known)] as const;
      }),
    );
    for (const answer of await Promise.all(transactions)) {
      expect(answer).toEqual([[{ edits: 0 }], [{ count: 0 }]]);
    }
    expect(lines).toEqual([expect.stringContaining('prepared statements get lost')]);
    logged.mockRestore();
  });

  it('never is what another version calls so, whose connections a pooler shares out as well', async () => {
    const theirs = await dataSource.transaction(async (manager) => {
      const known = await manager.query('SELECT name FROM pg_prepared_statements');
      if (known.some(({ name }: { name: string }) => name === FIND.name)) {
        await manager.query(`DEALLOCATE "${FIND.name}"`);
      }
      await manager.query(`PREPARE "${FIND.name}" (text) AS SELECT 99 AS edits WHERE $1 <> ''`);
      return edits(manager);
    });
    expect(theirs).toEqual([{ edits: 0 }]);
  });

  it('is an outage in a transaction that finds it lost, and works after that', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const failure = await dataSource
      .transaction(async (manager) => {
        await manager.query('DEALLOCATE ALL');
        return edits(manager);
      })
      .catch((error: unknown) => error);
    expect(isDatabaseOutage(failure)).toBe(true);
    expect(await dataSource.transaction(edits)).toEqual([{ edits: 0 }]);
    warned.mockRestore();
  });

  it('is an outage in a transaction after such a change, once a connection', async () => {
    await widen();
    const transaction = () => dataSource.transaction(edits);
    for (const _ of Array.from({ length: 10 })) {
      const failure = await transaction().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect([undefined, true]).toContain(failure && isDatabaseOutage(failure));
    }
    expect(await transaction()).toEqual([{ edits: '0' }]);
  });
});
