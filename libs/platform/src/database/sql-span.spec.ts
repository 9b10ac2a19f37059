import { namedSqlSpan, sqlSpan } from './sql-span.js';

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
