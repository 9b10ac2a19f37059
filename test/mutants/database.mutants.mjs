const spec = (name) => `libs/database/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'the reader of SQLite can write',
    file: 'libs/database/src/sqlite/sqlite.driver.ts',
    find: "await this.reader.pragma('query_only = ON');",
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/sqlite.data-source'), spec('sqlite/sqlite.failures')],
  },
];
