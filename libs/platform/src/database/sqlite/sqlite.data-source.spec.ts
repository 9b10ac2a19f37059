import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type DataSource, MoreThan } from 'typeorm';
import { sqliteForTests } from '../../testing.js';
import {
  gate,
  itIsPooled,
  noteSchema,
  NoteEntity,
  notesIn,
  writeNote,
} from '../data-source.contract.js';
import { READS_MUCH } from './sqlite.connection.js';
import { SqliteDataSource } from './sqlite.data-source.js';

const PATIENT_MS = 60_000;

async function open(waitMs = PATIENT_MS) {
  const { path, dispose } = await sqliteForTests();
  const dataSource = new SqliteDataSource({ ...noteSchema, path, waitMs });
  await dataSource.initialize();
  const close = async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await dispose();
  };
  return { dataSource, path, close };
}

describe('SqliteDataSource', () => {
  itIsPooled(open);
});

describe('SqliteDataSource beyond a pool', () => {
  let dataSource: DataSource;
  let path: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ dataSource, path, close } = await open());
    await dataSource.runMigrations();
  });

  afterEach(() => close());

  it('sets up its connections alike', async () => {
    const settings = ['journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys'];
    const ask = async (target: Pick<DataSource, 'query'>) => {
      const answers = settings.map((name) => target.query(`PRAGMA ${name}`));
      return (await Promise.all(answers)).flat().flatMap((row) => Object.values(row ?? {}));
    };

    const [reading, writing] = [await ask(dataSource), await dataSource.transaction(ask)];

    expect(reading).toEqual(['wal', 2, PATIENT_MS, 1]);
    expect(writing).toEqual(reading);
  });

  it('reads on a connection that cannot write', async () => {
    const ask = (target: Pick<DataSource, 'query'>) => target.query('PRAGMA query_only');

    expect(await ask(dataSource)).toEqual([{ query_only: 1 }]);
    expect(await dataSource.transaction(ask)).toEqual([{ query_only: 0 }]);
  });

  it('answers a read that is new to it while known ones go on without a pause', async () => {
    const known = ['a', 'b', 'c'].map((text) => `SELECT '${text}' AS text`);
    for (const sql of known) await dataSource.query(sql);
    let left = 3000;
    const readOn = async (sql: string) => {
      while (left-- > 0) await dataSource.query(sql);
    };
    const others = Promise.all(known.map(readOn)).then(() => 'after the others');
    await dataSource.query(known[0] ?? '');
    const unknown = dataSource.query("SELECT 'new' AS text");

    expect(await Promise.race([unknown, others])).toEqual([{ text: 'new' }]);
    left = 0;
    await others;
  });

  it('answers other reads while one that reads much goes on', async () => {
    const answered: string[] = [];
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)';
    const long = dataSource
      .query(`SELECT ${READS_MUCH} COUNT(*) FROM (${numbers} SELECT i FROM n)`)
      .then(() => answered.push('long'));
    await dataSource.query('SELECT 1').then(() => answered.push('short'));
    await long;
    expect(answered).toEqual(['short', 'long']);
  });

  it('writes the same texts whatever the numbers are, so that they are kept', async () => {
    const logged = jest.spyOn(dataSource.logger, 'logQuery');
    const notes = dataSource.getRepository(NoteEntity);
    const textsFor = async (text: string, edits: number) => {
      logged.mockClear();
      await notes.insert({ text, edits: edits - 1 });
      await notes.update({ text, edits: edits - 1 }, { edits });
      const found = [edits - 1, edits].map((n) => notes.findOneBy({ text, edits: MoreThan(n) }));
      expect(await Promise.all(found)).toEqual([{ text, edits }, null]);
      return logged.mock.calls.map(([sql]) => sql);
    };

    const texts = await textsFor('a', 1);
    expect(await textsFor('b', 0.5)).toEqual(texts);
    expect(await textsFor('c', 1_700_000_000_001)).toEqual(texts);
    const types = await dataSource.query('SELECT typeof(edits) AS type FROM note ORDER BY text');
    expect(types).toEqual([{ type: 'integer' }, { type: 'real' }, { type: 'integer' }]);
  });

  it('lets transactions in the order they were asked for', async () => {
    const order: number[] = [];
    const numbers = Array.from({ length: 20 }, (_, n) => n);

    await Promise.all(numbers.map((n) => dataSource.transaction(async () => void order.push(n))));

    expect(order).toEqual(numbers);
  });

  it('runs what one transaction does at the same time one after the other', async () => {
    await dataSource.transaction((manager) =>
      Promise.all(Array.from('abcdefgh').map((text) => manager.insert(NoteEntity, { text }))),
    );

    expect(await notesIn(dataSource)).toEqual(Array.from('abcdefgh'));
  });

  it('takes any isolation level: all are serializable', async () => {
    await dataSource.transaction('READ COMMITTED', (manager) => writeNote(manager, 'a'));
    await dataSource.transaction('SERIALIZABLE', (manager) => writeNote(manager, 'b'));

    expect(await notesIn(dataSource)).toEqual(['a', 'b']);
  });

  it('rolls back what is still open when its runner is released', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await writeNote(runner, 'a');
    await runner.release();
    await runner.release();

    await writeNote(dataSource, 'b');
    expect(await notesIn(dataSource)).toEqual(['b']);
  });

  it('rolls back a transaction whose runner was released while it waited for the write lock', async () => {
    const [first, second] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await first.startTransaction();
    const starting = second.startTransaction();
    await second.release();
    await first.release();

    await expect(starting).rejects.toThrow('released');
    await writeNote(dataSource, 'a');
    expect(await notesIn(dataSource)).toEqual(['a']);
  });

  it.each(['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT a', 'RELEASE a'])(
    'refuses %s as a statement',
    async (sql) => {
      await expect(dataSource.query(sql)).rejects.toThrow("query runner's own methods");
      await writeNote(dataSource, 'a');
      expect(await notesIn(dataSource)).toEqual(['a']);
    },
  );

  it('shares its write lock with another data source on the same file', async () => {
    const other = await new SqliteDataSource({ ...noteSchema, path, waitMs: 1 }).initialize();
    await dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      await expect(writeNote(other, 'b')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
      expect(await notesIn(other)).toEqual([]);
    });
    await other.destroy();
  });

  it('waits for another process that is writing', async () => {
    const other = await holdWriteLock(path);
    const writing = writeNote(dataSource, 'a');
    const transaction = dataSource.transaction((manager) => writeNote(manager, 'b'));
    expect(await notesIn(dataSource)).toEqual([]);
    await other.letGo();

    await Promise.all([writing, transaction]);
    expect(await notesIn(dataSource)).toEqual(['a', 'b', 'from the other process']);
  });

  it('keeps other processes from writing even before it has written itself', async () => {
    await dataSource.transaction(async (manager) => {
      expect(await notesIn(manager)).toEqual([]);
      await expect(holdWriteLock(path)).rejects.toBe('SQLITE_BUSY');
      await writeNote(manager, 'a');
    });

    expect(await notesIn(dataSource)).toEqual(['a']);
  });

  it('waits for another process that is writing before there is a write-ahead log', async () => {
    const fresh = `${path}-fresh`;
    const other = await holdWriteLock(fresh);
    const opening = new SqliteDataSource({ path: fresh, waitMs: PATIENT_MS }).initialize();
    const stillWaiting = await Promise.race([opening.then(() => false), manyQueries()]);
    await other.letGo();

    expect(stillWaiting).toBe(true);
    const opened = await opening;
    expect(await opened.query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await opened.destroy();
  });

  const manyQueries = async (left = 100): Promise<boolean> => {
    await notesIn(dataSource);
    return left === 0 || manyQueries(left - 1);
  };

  it('lets begun work finish when it is destroyed, and refuses what comes later', async () => {
    const [opened, closing] = [gate(), gate()];
    const begun = dataSource.transaction(async (manager) => {
      opened.resolve();
      await closing.promise;
      await writeNote(manager, 'a');
    });
    await opened.promise;
    const destroyed = dataSource.destroy();
    await expect(writeNote(dataSource, 'late')).rejects.toThrow('not established');
    closing.resolve();
    await Promise.all([begun, destroyed]);

    await dataSource.initialize();
    expect(await notesIn(dataSource)).toEqual(['a']);
  });
});

describe('an impatient SqliteDataSource', () => {
  it('gives up a write inside a transaction that goes around its manager', async () => {
    const { dataSource, close } = await open(20);
    await dataSource.runMigrations();
    const around = dataSource.transaction(() => writeNote(dataSource, 'a'));

    await expect(around).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    await writeNote(dataSource, 'b');
    expect(await notesIn(dataSource)).toEqual(['b']);
    await close();
  });

  it('keeps its process alive while a writer waits, so that the refusal is heard', async () => {
    const waitMs = 23;
    const { dataSource, close } = await open(waitMs);
    await dataSource.runMigrations();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const around = dataSource.transaction(() => writeNote(dataSource, 'a'));

    await expect(around).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    const waits = timers.mock.results.filter((_, n) => timers.mock.calls[n]?.[1] === waitMs);
    timers.mockRestore();
    expect(waits.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([true]);
    await close();
  });

  it('gives up waiting for another process', async () => {
    const { dataSource, path, close } = await open(20);
    await dataSource.runMigrations();
    const other = await holdWriteLock(path);

    await expect(writeNote(dataSource, 'a')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    const transaction = dataSource.transaction((manager) => writeNote(manager, 'b'));
    await expect(transaction).rejects.toMatchObject({ code: 'SQLITE_BUSY' });

    await other.letGo();
    await writeNote(dataSource, 'c');
    expect(await notesIn(dataSource)).toEqual(['c', 'from the other process']);
    await close();
  });

  it('closes while a transaction is still open', async () => {
    const { dataSource, close } = await open(20);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await dataSource.destroy();

    expect(dataSource.isInitialized).toBe(false);
    await runner.release();
    await close();
  });

  it.each(['', ':memory:'])('does not take "%s" for a file', (path) => {
    expect(() => new SqliteDataSource({ path })).toThrow('needs a file');
  });
});

/**
 * A child process that has written a note in a transaction and commits on command. Rejects with SQLite's code when
 * another writer holds the lock.
 */
async function holdWriteLock(path: string) {
  const script = `
    const { Database } = require(${JSON.stringify(createRequire(import.meta.url).resolve('sqlite3'))});
    const database = new Database(${JSON.stringify(path)});
    database.configure('busyTimeout', 0);
    const write = "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS note (text, edits);" +
      "INSERT INTO note VALUES ('from the other process', 0)";
    database.exec(write, (error) => {
      process.send(error?.code ?? 'held');
      if (error) process.disconnect();
    });
    process.once('message', () => database.exec('COMMIT', () => process.disconnect()));`;
  const child = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const [answer] = await once(child, 'message');
  if (answer !== 'held') {
    await exit;
    throw answer;
  }
  return {
    async letGo() {
      child.send('commit');
      await exit;
    },
  };
}
