import { sqliteForTests } from '../../testing.js';
import { gate, noteSchema, notesIn, writeNote } from '../data-source.contract.js';
import { SqliteDataSource } from './sqlite.data-source.js';
import { SqliteWriter } from './sqlite.transaction.js';
import { parseStatement } from './sqlite.connection.js';

const insert = (text: string) => parseStatement('INSERT INTO note (text) VALUES (?)', [text]);

describe('writes to SQLite that wait at the same time', () => {
  let dataSource: SqliteDataSource;
  let dispose: () => Promise<void>;
  let held: jest.SpiedFunction<SqliteWriter['hold']>;

  beforeEach(async () => {
    const { path, ...file } = await sqliteForTests();
    dispose = file.dispose;
    dataSource = new SqliteDataSource({ ...noteSchema, path, waitMs: 60_000 });
    await dataSource.initialize();
    await dataSource.runMigrations();
    held = jest.spyOn(SqliteWriter.prototype, 'hold');
  });
  afterEach(async () => {
    held.mockRestore();
    await dataSource.destroy();
    await dispose();
  });

  /** Starts the writes while another writer holds the write lock; returns how they ended. */
  const together = async (...writes: (() => Promise<unknown>)[]) => {
    const [opened, started] = [gate(), gate()];
    const other = dataSource.transaction(async () => {
      opened.resolve();
      await started.promise;
    });
    await opened.promise;
    held.mockClear();
    const ended = Promise.allSettled(writes.map((write) => write()));
    started.resolve();
    await other;
    return (await ended).map(({ status }) => status);
  };
  const write = (text: string) => () => writeNote(dataSource, text);

  it('share one transaction, and so one flush', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `note ${n}`);
    expect(new Set(await together(...texts.map(write)))).toEqual(new Set(['fulfilled']));
    expect(held).toHaveBeenCalledTimes(1);
    expect(await notesIn(dataSource)).toEqual(texts.toSorted());
  });

  it('share as many as there have to be, so that a transaction behind them does not wait long', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => `note ${n}`);
    await together(...texts.map(write));
    expect(held).toHaveBeenCalledTimes(4);
    expect(await notesIn(dataSource)).toHaveLength(200);
  });

  it('share no failure: what one cannot write, the others do', async () => {
    await writeNote(dataSource, 'taken');
    const states = await together(write('a'), write('taken'), write('b'));
    expect(states).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await notesIn(dataSource)).toEqual(['a', 'b', 'taken']);
  });

  it('keep their order after a failure, before what came later', async () => {
    await writeNote(dataSource, 'taken');
    const texts = Array.from({ length: 70 }, (_, n) => `note ${n}`);
    const inOrder = 'SELECT text FROM note ORDER BY rowid';
    let seen: { text: string }[] = [];
    await together(
      write('first'),
      write('taken'),
      write('second'),
      () => dataSource.transaction(async (manager) => (seen = await manager.query(inOrder))),
      ...texts.map(write),
    );
    const expected = ['taken', 'first', 'second', ...texts];
    expect(seen.map(({ text }) => text)).toEqual(expected.slice(0, seen.length));
    expect(seen.length).toBeGreaterThanOrEqual(3);
    const rows: typeof seen = await dataSource.query(inOrder);
    expect(rows.map(({ text }) => text)).toEqual(expected);
  });

  it('share no failure that shows at the commit only', async () => {
    const orphan = () => dataSource.query("INSERT INTO reply (note) VALUES ('nowhere')");
    expect(await together(write('a'), orphan, write('b'))).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await notesIn(dataSource)).toEqual(['a', 'b']);
  });

  it('take effect whole or not at all', async () => {
    await writeNote(dataSource, 'taken');
    const { driver } = dataSource;
    const states = await together(
      () => driver.execute(insert('a'), insert('taken')),
      () => driver.execute(insert('b'), insert('c')),
    );
    expect(states).toEqual(['rejected', 'fulfilled']);
    expect(await notesIn(dataSource)).toEqual(['b', 'c', 'taken']);
  });

  it('do nothing where the first statement changes nothing', async () => {
    const edit = parseStatement("UPDATE note SET edits = 1 WHERE text = 'no such note'");
    const { changes } = await dataSource.driver.execute(edit, insert('a'));
    expect([changes, await notesIn(dataSource)]).toEqual([0, []]);
  });

  it('fail without the write lock, and leave nothing behind', async () => {
    held.mockRejectedValueOnce(new Error('no write lock'));
    await expect(write('a')()).rejects.toThrow('no write lock');
    await writeNote(dataSource, 'b');
    expect(await notesIn(dataSource)).toEqual(['b']);
  });

  it('do not fail with earlier ones that waited in vain', async () => {
    const refused = gate();
    held.mockImplementationOnce(() => refused.promise);
    const [early, late] = [write('a')(), write('b')()];
    refused.reject(new Error('no write lock'));
    await expect(early).rejects.toThrow('no write lock');
    await late;
    expect(await notesIn(dataSource)).toEqual(['b']);
  });
});
