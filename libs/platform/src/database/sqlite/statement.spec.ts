import { parseStatement } from './sqlite.connection.js';

describe('what a statement does', () => {
  it.each([
    'SELECT 1',
    '  select * from "update"',
    '-- DELETE\nSELECT 1',
    '/* INSERT */ SELECT 1',
    'VALUES (1)',
    'EXPLAIN QUERY PLAN DELETE FROM t',
    'WITH x AS (SELECT 1) SELECT replace(a, b, c) FROM x',
    'PRAGMA user_version',
    'PRAGMA table_info("t")',
    'PRAGMA "main".table_xinfo("t")',
    'PRAGMA main.index_list(t)',
    'PRAGMA foreign_key_check(t)',
  ])('%s only reads', (sql) => {
    expect(parseStatement(sql)).toMatchObject({ reads: true, counts: false, control: undefined });
  });

  it.each([
    'INSERT INTO t VALUES (1) RETURNING id',
    'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x',
    'WITH x AS (SELECT 1) DELETE FROM t WHERE id IN x',
    'CREATE TABLE t (id)',
    'VACUUM',
    'PRAGMA foreign_keys = OFF',
    'PRAGMA user_version(3)',
    'PRAGMA wal_checkpoint',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA optimize',
    '',
  ])('%s may write', (sql) => {
    expect(parseStatement(sql)).toMatchObject({ reads: false, counts: false, control: undefined });
  });

  it.each([
    ["INSERT INTO t VALUES ('returning')", true],
    ['REPLACE INTO t VALUES (1)', true],
    ['update t set "returning" = 1', false],
    ['DELETE FROM t', false],
  ])('%s is answered by counts', (sql, inserts) => {
    expect(parseStatement(sql)).toMatchObject({ reads: false, counts: true, inserts });
  });

  it.each([
    ['BEGIN', 'transaction'],
    ['begin immediate', 'transaction'],
    ['COMMIT', 'transaction'],
    ['END TRANSACTION', 'transaction'],
    ['ROLLBACK', 'transaction'],
    ['ROLLBACK TO SAVEPOINT a', 'savepoint'],
    ['SAVEPOINT a', 'savepoint'],
    ['RELEASE a', 'savepoint'],
  ])('%s handles a %s', (sql, control) => {
    expect(parseStatement(sql)).toMatchObject({ reads: false, control });
  });
});
