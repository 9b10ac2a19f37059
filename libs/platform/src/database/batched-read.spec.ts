import { setImmediate as turn } from 'node:timers/promises';
import { describeOnDatabases } from '../testing.js';
import { BatchedRead, ReadBatch } from './batched-read.js';
import { noteSchema, writeNote } from './data-source.contract.js';

type Found = Promise<ReadonlyMap<string, string>>;

describe('reads of the same turn', () => {
  const stored = new Map<string, string>();
  const readAll = jest.fn<Found, [readonly string[]]>();
  let batch: ReadBatch<string>;

  beforeEach(() => {
    stored.clear();
    readAll.mockReset().mockImplementation(async () => new Map(stored));
    batch = new ReadBatch(readAll);
  });

  it('are one, and each gets what is its own', async () => {
    stored.set('a', 'A').set('b', 'B');
    const asked = ['a', 'b', 'c', 'a'];
    expect(await Promise.all(asked.map((key) => batch.find(key)))).toEqual([
      'A',
      'B',
      undefined,
      'A',
    ]);
    expect(readAll.mock.calls).toEqual([[['a', 'b', 'c']]]);
  });

  it('see what was written before they began: none joins a read that is under way', async () => {
    const answer = Promise.withResolvers<void>();
    readAll.mockImplementationOnce(async () => {
      const seen = new Map(stored);
      await answer.promise;
      return seen;
    });
    const before = batch.find('a');
    await turn();
    expect(readAll).toHaveBeenCalledTimes(1);
    stored.set('a', 'A');
    const after = batch.find('a');
    answer.resolve();
    expect([await before, await after]).toEqual([undefined, 'A']);
  });

  it('fail together, and the next turn does not', async () => {
    readAll.mockRejectedValueOnce(new Error('away'));
    const failed = await Promise.allSettled(['a', 'b'].map((key) => batch.find(key)));
    expect(failed).toMatchObject([
      { reason: { message: 'away' } },
      { reason: { message: 'away' } },
    ]);
    stored.set('a', 'A');
    expect(await batch.find('a')).toBe('A');
  });

  it('are several where there are more than a hundred', async () => {
    const keys = Array.from({ length: 250 }, (_, n) => `${n}`);
    for (const key of keys) stored.set(key, `of ${key}`);
    const found = await Promise.all(keys.map((key) => batch.find(key)));
    expect(found).toEqual(keys.map((key) => `of ${key}`));
    expect(readAll.mock.calls.map(([some]) => some.length)).toEqual([100, 100, 50]);
  });
});

const FIND = new BatchedRead(
  'find-notes',
  ({ keys }) => `SELECT n.text AS key, n.edits FROM ${keys} JOIN note n ON n.text = keys.value`,
);

const ODD = ['', ' ', ',', '{}', '{a,b}', '"', '\\', 'NULL', '[1]', '%', 'é', '😀', '1', 'A', 'a'];

describeOnDatabases('reads that share a statement', noteSchema, (replicas) => {
  const editsOf = async (key: string, replica: 0 | 1 = 0) => {
    const row = await FIND.find(replicas()[replica], key);
    return row && Number(row['edits']);
  };
  const together = (keys: readonly string[]) => Promise.all(keys.map((key) => editsOf(key)));

  beforeEach(() => replicas()[0].query('DELETE FROM note'));
  afterEach(() => jest.restoreAllMocks());

  const write = (text: string, edits: number) =>
    replicas()[0].query(
      `INSERT INTO note (text, edits) VALUES ('${text}', ${edits})
       ON CONFLICT (text) DO UPDATE SET edits = excluded.edits`,
    );

  it('give each caller its own row, whatever the keys look like', async () => {
    expect(await together(ODD)).toEqual(ODD.map(() => undefined));
    for (const [n, key] of ODD.entries()) await write(key, n);
    expect(await together([...ODD, 'no such key'])).toEqual([...ODD.keys(), undefined]);
  });

  it('are not lost by a key that no database has', async () => {
    await write('a', 1);
    expect(await together(['a\0b', 'a', '\ud800', '\0'])).toEqual([
      undefined,
      1,
      undefined,
      undefined,
    ]);
  });

  it('are one statement for all callers of a turn', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `note ${n}`);
    for (const [n, key] of keys.entries()) await write(key, n);
    const statements = jest.spyOn(replicas()[0].logger, 'logQuery');
    expect(await together(keys)).toEqual([...keys.keys()]);
    expect(statements).toHaveBeenCalledTimes(1);
  });

  it('are planned once by a connection of Postgres, however many rows there are', async () => {
    const [dataSource] = replicas();
    if (dataSource.options.type !== 'postgres') return;
    await dataSource.query(
      `INSERT INTO note (text, edits) SELECT 'note ' || n, n FROM generate_series(1, 20000) AS n`,
    );
    await dataSource.query('ANALYZE note');
    await dataSource.transaction(async (manager) => {
      for (let n = 1; n <= 12; n += 1) await FIND.find(manager, `note ${n}`);
      const plans = `SELECT generic_plans > 0 AS kept FROM pg_prepared_statements WHERE name LIKE 'find-notes %'`;
      expect(await manager.query(plans)).toEqual([{ kept: true }]);
    });
  });

  it('are a statement of its own inside a transaction, and see what that wrote', async () => {
    await replicas()[0].transaction(async (manager) => {
      await manager.query(`INSERT INTO note (text, edits) VALUES ('a', 7)`);
      expect(await FIND.find(manager, 'a')).toMatchObject({ edits: 7 });
    });
  });

  it('see whatever was committed before they began, by any replica', async () => {
    await writeNote(replicas()[0], 'a');
    const committed = { edits: 0 };
    const readToTheEnd = async () => {
      while (committed.edits < 30) {
        const { edits } = committed;
        expect(await editsOf('a', 1)).toBeGreaterThanOrEqual(edits);
      }
    };
    const readers = Array.from({ length: 8 }, readToTheEnd);
    for (let edits = 1; edits <= 30; edits += 1) {
      await write('a', edits);
      committed.edits = edits;
    }
    await Promise.all(readers);
    expect(await editsOf('a', 1)).toBe(30);
  });
});
