import type { DataSource } from 'typeorm';
import { sqliteForTests } from '../../testing.js';
import { isDatabaseOutage } from '../../outage.js';
import { noteSchema, notesIn, writeNote } from '../data-source.contract.js';
import { parseStatement, SqliteConnection } from './sqlite.connection.js';
import { SqliteDataSource } from './sqlite.data-source.js';
import { SqliteWriter } from './sqlite.transaction.js';

describe('a transaction that SQLite rolls back on its own', () => {
  let dataSource: DataSource;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const { path, ...file } = await sqliteForTests();
    dispose = file.dispose;
    dataSource = await new SqliteDataSource({ ...noteSchema, path, waitMs: 60_000 }).initialize();
    await dataSource.runMigrations();
    await writeNote(dataSource, 'taken');
  });

  afterEach(async () => {
    await dataSource.destroy();
    await dispose();
  });

  it('goes on after a statement that failed alone', async () => {
    await dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      await expect(writeNote(manager, 'taken')).rejects.toMatchObject({
        code: 'SQLITE_CONSTRAINT',
      });
      await writeNote(manager, 'b');
    });

    expect(await notesIn(dataSource)).toEqual(['a', 'b', 'taken']);
  });

  it('keeps nothing, whatever its callback does afterwards', async () => {
    const transaction = dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      const fatal = manager.query("INSERT OR ROLLBACK INTO note (text) VALUES ('taken')");
      const queuedBehind = writeNote(manager, 'b');
      await expect(fatal).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT' });
      await expect(queuedBehind).rejects.toThrow('rolled the transaction back');
      const nested = manager.transaction((inner) => writeNote(inner, 'c'));
      await expect(nested).rejects.toThrow('rolled the transaction back');
      await expect(writeNote(manager, 'd')).rejects.toThrow('rolled the transaction back');
    });

    await expect(transaction).rejects.toThrow('rolled the transaction back');
    await writeNote(dataSource, 'e');
    expect(await notesIn(dataSource)).toEqual(['e', 'taken']);
  });

  it('is an outage when the disk is full, and works again when it is not', async () => {
    await dataSource.query('PRAGMA max_page_count = 1');
    const filling = dataSource.transaction(async (manager) => {
      await writeNote(manager, 'a');
      await writeNote(manager, 'x'.repeat(100_000)).catch(() => undefined);
      await writeNote(manager, 'b');
    });

    await expect(filling.catch(isDatabaseOutage)).resolves.toBe(true);
    await dataSource.query('PRAGMA max_page_count = 1000000');
    await dataSource.transaction((manager) => writeNote(manager, 'c'));
    expect(await notesIn(dataSource)).toEqual(['c', 'taken']);
  });
});

describe('SqliteWriter', () => {
  it('never uses a connection again that it could not roll back', async () => {
    const { path, dispose } = await sqliteForTests();
    const createTable = parseStatement('CREATE TABLE t (id)');
    const opened: SqliteConnection[] = [];
    const open = SqliteConnection.open.bind(SqliteConnection);
    const opening = jest.spyOn(SqliteConnection, 'open').mockImplementation(async (...given) => {
      const connection = await open(...given);
      opened.push(connection);
      return connection;
    });
    const writer = new SqliteWriter(path, 60_000);
    const transaction = await writer.begin(true);
    await transaction.execute(createTable);
    failing(opened[0], ['COMMIT', 'ROLLBACK']);

    await expect(transaction.commit()).rejects.toThrow('COMMIT: disk I/O error');
    await transaction.rollback();
    await expect(transaction.execute(createTable)).rejects.toThrow('is over');

    const next = await writer.begin(true);
    await next.execute(createTable);
    await next.commit();
    expect(opened).toHaveLength(2);
    await writer.close();
    opening.mockRestore();
    await dispose();
  });
});

/** Makes statements with these verbs fail on the connection. */
function failing(connection: SqliteConnection | undefined, verbs: string[]) {
  if (!connection) throw new Error('no connection was opened');
  const execute = connection.execute.bind(connection);
  connection.execute = (statement) =>
    verbs.includes(statement.sql)
      ? Promise.reject(new Error(`${statement.sql}: disk I/O error`))
      : execute(statement);
}
