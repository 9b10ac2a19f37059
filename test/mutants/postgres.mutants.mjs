const file = (name) => `libs/database/src/${name}.ts`;
const spec = (name) => `libs/database/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'transactions behind a pooler have no time limit',
    file: file('postgres/postgres.session'),
    find: 'return BEGIN.test(what) ? `${what}; ${setLimits}` : what;',
    replace: 'return setLimits ? what : what;',
    project: 'long-postgres',
    specs: 'test/storage/pgbouncer',
  },
  {
    name: 'time limits are left to others who share a pooled connection',
    file: file('postgres/postgres.session'),
    find: 'WHERE pg_backend_pid() = $3`;',
    replace: 'WHERE $3::int IS NOT NULL`;',
    project: 'long-postgres',
    specs: 'test/storage/pgbouncer',
  },
  {
    name: 'behind a pooler a statement of another version runs under the same name',
    file: file('prepared-statement.sql'),
    find: 'name: `${name} ${hash',
    replace: 'name, digest: `${name} ${hash',
    project: 'unit',
    specs: [spec('postgres/postgres.named')],
  },
  {
    name: 'a statement that most requests ask is parsed and planned each time',
    file: file('postgres/postgres.named'),
    find: '(await clientOf(inTransaction)).query(sendable(dataSource, query))',
    replace: '(await clientOf(inTransaction)).query(unnamed(query))',
    project: 'e2e-postgres',
    specs: 'test/storage/statements.e2e-spec.ts',
  },
  {
    name: 'a statement that was lost on the way keeps its name',
    file: file('postgres/postgres.named'),
    find: 'nameless.add(dataSource);',
    replace: '',
    project: 'unit',
    specs: [spec('postgres/postgres.named')],
  },
  {
    name: 'a statement of a transaction that is over runs in that of somebody else',
    file: file('postgres/postgres.named'),
    find: 'if (runner.isReleased) throw',
    replace: 'if (runner.isReleased && runner.data === undefined) throw',
    project: 'unit',
    specs: [spec('postgres/postgres.named')],
  },
];
