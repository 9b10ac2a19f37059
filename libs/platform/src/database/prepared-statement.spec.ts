import { DataSource } from 'typeorm';
import { describeOnDatabases } from '../../../../test/support/services/describe-on-databases.js';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { noteSchema, notesIn, writeNote } from './data-source.contract.js';
import { changesOf, PreparedStatement } from './prepared-statement.js';
import { namedSqlSpan, sqlSpan } from './statement-listeners.js';
import { SqliteDataSource } from './sqlite/sqlite.data-source.js';

describe('the span of a statement', () => {
  it.each([
    ['SELECT', "SELECT * FROM users WHERE token = 'secret'"],
    ['INSERT', "\n  insert into users values ('secret')"],
    ['BEGIN', 'BEGIN'],
    ['SQL', "/* 'secret' */ SELECT 1"],
    ['SQL', ''],
  ])('tells %s and no more', (verb, text) => {
    expect(sqlSpan('postgres', text)).toEqual({
      name: verb,
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': verb },
      isLeaf: true,
    });
  });

  it('tells the name and the text of one that was prepared', () => {
    expect(namedSqlSpan('sqlite', 'session by token', 'SELECT ?1')).toMatchObject({
      name: 'session by token',
      attributes: { 'db.system.name': 'sqlite', 'db.query.text': 'SELECT ?1' },
    });
  });
});

const WRITE_TWO = new PreparedStatement(
  'write-two-notes',
  changesOf(
    'INSERT INTO note (text) VALUES ($1)',
    ({ decided }) => `INSERT INTO note (text) SELECT $2 WHERE ${decided}`,
  ),
);

const EDIT_AND_WRITE = new PreparedStatement(
  'edit-and-write-note',
  changesOf(
    'UPDATE note SET edits = edits + 1 WHERE text = $1',
    ({ decided }) => `INSERT INTO note (text) SELECT CAST($2 AS varchar) WHERE ${decided}`,
  ),
);

describeOnDatabases('changes that take effect together', noteSchema, (replicas) => {
  const outside = (values: string[]) => EDIT_AND_WRITE.run(replicas()[0], values);
  const inside = (values: string[]) =>
    replicas()[0].transaction((manager) => EDIT_AND_WRITE.run(manager, values));

  beforeEach(async () => {
    await replicas()[0].query('DELETE FROM note');
    await writeNote(replicas()[0], 'a');
  });

  it.each([
    ['outside a transaction', outside],
    ['inside one', inside],
  ])('are made where the first one changes a row, and else none is, %s', async (_where, change) => {
    expect(await change(['no such note', 'b'])).toMatchObject({ affected: 0 });
    expect(await notesIn(replicas()[1])).toEqual(['a']);
    expect(await change(['a', 'b'])).toMatchObject({ affected: 1 });
    expect(await notesIn(replicas()[1])).toEqual(['a', 'b']);
  });
});

describe('changes that take effect together on SQLite', () => {
  let dataSource: DataSource;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const { path, ...file } = await sqliteForTests();
    dispose = file.dispose;
    dataSource = await new SqliteDataSource({ ...noteSchema, path }).initialize();
    await dataSource.runMigrations();
    await writeNote(dataSource, 'taken');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await dispose();
  });

  it.each([
    ['the data source', () => WRITE_TWO.run(dataSource, ['a', 'taken'])],
    [
      'its manager, outside any transaction',
      () => WRITE_TWO.run(dataSource.manager, ['a', 'taken']),
    ],
    [
      'the manager of a transaction',
      () => dataSource.transaction((manager) => WRITE_TWO.run(manager, ['a', 'taken'])),
    ],
  ])('leave nothing behind when one of them fails, on %s', async (_on, change) => {
    await expect(change()).rejects.toThrow('UNIQUE');
    expect(await notesIn(dataSource)).toEqual(['taken']);
  });
});
