const file = (name) => `libs/database/src/${name}.ts`;
const spec = (name) => `libs/database/src/${name}.spec.ts`;

export const mutants = [
  {
    name: 'of replicas that start at once each keeps the key that it made',
    file: file('service-keys/service-keys.sql'),
    find: `  const kept = await findKey(dataSource, name);
  if (!kept)`,
    replace: `  const kept = randomBytes(KEY_BYTES);
  if (!kept)`,
    project: 'unit',
    specs: [spec('service-keys/service-keys.sql')],
  },
  {
    name: 'an SQLite file has the mode that the umask gives it',
    file: file('sqlite/sqlite.driver'),
    find: 'await makePrivateFile(file);',
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/private-file')],
  },
  {
    name: 'an SQLite file that others can read stays so',
    file: file('sqlite/private-file'),
    find: 'await Promise.all(SIDES.map((side) => chmod(file + side, OWNER_ONLY).catch(() => undefined)));',
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/private-file')],
  },
  {
    name: 'the reader of SQLite can write',
    file: file('sqlite/sqlite.driver'),
    find: "await this.reader.pragma('query_only = ON');",
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/sqlite.data-source'), spec('sqlite/sqlite.failures')],
  },
  {
    name: 'the write lock is released when a transaction has begun',
    file: file('sqlite/sqlite.writer'),
    find: 'return new SqliteTransaction(connection, (clean) =>',
    replace: 'release();\n      return new SqliteTransaction(connection, (clean) =>',
    project: 'unit',
    specs: [spec('sqlite/sqlite.data-source')],
  },
  {
    name: 'a connection that could not be rolled back is used again',
    file: file('sqlite/sqlite.writer'),
    find: 'if (!reusable) await this.discard();',
    replace: 'if (!reusable && this.closing) await this.discard();',
    project: 'unit',
    specs: [spec('sqlite/sqlite.failures')],
  },
  {
    name: 'data sources of one file have locks of their own',
    file: file('sqlite/write-lock'),
    find: 'lockByFile.set(file, known);',
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/write-lock'), spec('sqlite/sqlite.data-source')],
  },
  {
    name: 'the timer of the sweepers is never set',
    file: file('sweeper.service'),
    find: 'this.timer = setInterval(() => void this.sweepQuietly(), INTERVAL_MS).unref();',
    replace: 'this.timer = undefined;\n    void this.sweepQuietly;',
    project: 'unit',
    specs: [spec('sweeper.service')],
  },
  {
    name: 'the heartbeat of a Redis connection is never set',
    file: file('redis/redis.heartbeat'),
    find: 'beating = beat(redis);',
    replace: 'void beat;',
    project: 'unit',
    specs: [spec('redis/redis.module')],
  },
  {
    name: 'every violated constraint counts as a row that is there already',
    file: file('unique-violation'),
    find: " && error.message.includes('UNIQUE constraint')",
    replace: '',
    project: 'unit',
    specs: [spec('sqlite/sqlite.data-source')],
  },
];
