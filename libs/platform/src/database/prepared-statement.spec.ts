import { DataSource } from 'typeorm';
import { describeOnDatabases, sqliteForTests } from '../testing.js';
import { noteSchema, notesIn, writeNote } from './data-source.contract.js';
import { guardedChanges, PreparedStatement } from './prepared-statement.js';
import { namedSqlSpan, sqlSpan } from './statement-listeners.js';
import { SqliteDataSource } from './sqlite/sqlite.data-source.js';

describe('the span of a statement', () => {
  it.each([
    ['SELECT', "SELECT * FROM users WHERE token = 'secret'"],
    ['INSERT', "\n  insert into users values ('secret')"],
    ['BEGIN', 'BEGIN'],
    ['SQL', "/* 'secret' */ SELECT 1"],
    ['SQL', ''],
  ])('has %s alone', (verb, text) => {
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

const ODD_TEXTS = new PreparedStatement<'a'>(
  'odd-note-texts',
  ({ type, now }) => `
    SELECT ':a' AS quoted, ':b it''s :c' AS doubled, :a AS ":a", /* :d */
      ${type === 'postgres' ? ':a::text' : 'CAST(:a AS text)'} AS twice, ${now} AS at -- :e
  `,
);

const WRITE_TWO = new PreparedStatement<'first' | 'second'>(
  'write-two-notes',
  guardedChanges(
    'INSERT INTO note (text) VALUES (:first)',
    ({ guarded }) => `INSERT INTO note (text) SELECT :second WHERE ${guarded}`,
  ),
);

const EDIT_AND_WRITE = new PreparedStatement<'edited' | 'written'>(
  'edit-and-write-note',
  guardedChanges(
    `UPDATE note SET edits = edits + 1 WHERE text = :edited
     RETURNING edits, (SELECT COUNT(*) FROM note) AS notes`,
    ({ guarded }) => `INSERT INTO note (text) SELECT CAST(:written AS varchar) WHERE ${guarded}`,
  ),
);

const BY_CLOCK = new PreparedStatement<'now'>('note-by-clock', 'SELECT :now');

describeOnDatabases('parameters of a statement', noteSchema, (replicas) => {
  it('are found beside quoted texts, comments and casts', async () => {
    const { rows } = await ODD_TEXTS.run(replicas()[0], { a: 'x' });
    const at = expect.anything();
    expect(rows).toEqual([{ quoted: ':a', doubled: ":b it's :c", ':a': 'x', twice: 'x', at }]);
  });

  it('may be null, and not be missing', async () => {
    const { rows } = await ODD_TEXTS.run(replicas()[0], { a: null });
    expect(rows).toMatchObject([{ ':a': null }]);
    await expect(EDIT_AND_WRITE.run(replicas()[0], { edited: 'a' } as never)).rejects.toThrow(
      'the parameter :written has no value',
    );
  });

  it('are not called now, which is the clock of SQLite', () => {
    if (replicas()[0].options.type !== 'postgres') return;
    expect(() => BY_CLOCK.run(replicas()[0], { now: 1 })).toThrow('clock of SQLite');
  });
});

describeOnDatabases('changes that take effect together', noteSchema, (replicas) => {
  type Values = Parameters<typeof EDIT_AND_WRITE.run>[1];
  const outside = (values: Values) => EDIT_AND_WRITE.run(replicas()[0], values);
  const inside = (values: Values) =>
    replicas()[0].transaction((manager) => EDIT_AND_WRITE.run(manager, values));

  beforeEach(async () => {
    await replicas()[0].query('DELETE FROM note');
    await writeNote(replicas()[0], 'a');
  });

  it.each([
    ['outside a transaction', outside],
    ['inside one', inside],
  ])('are made where the first one changes a row, and else none is, %s', async (_where, change) => {
    const refused = await change({ edited: 'no such note', written: 'b' });
    expect(refused).toMatchObject({ affected: 0, rows: [] });
    expect(await notesIn(replicas()[1])).toEqual(['a']);
    const { affected, rows } = await change({ edited: 'a', written: 'b' });
    expect([affected, rows.map(({ notes }) => Number(notes))]).toEqual([1, [1]]);
    expect(await notesIn(replicas()[1])).toEqual(['a', 'b']);
  });
});

const TAKEN = { first: 'a', second: 'taken' };

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
    ['the data source', () => WRITE_TWO.run(dataSource, TAKEN)],
    ['its manager, outside any transaction', () => WRITE_TWO.run(dataSource.manager, TAKEN)],
    [
      'the manager of a transaction',
      () => dataSource.transaction((manager) => WRITE_TWO.run(manager, TAKEN)),
    ],
  ])('leave nothing behind when one of them fails, on %s', async (_on, change) => {
    await expect(change()).rejects.toThrow('UNIQUE');
    expect(await notesIn(dataSource)).toEqual(['taken']);
  });
});
