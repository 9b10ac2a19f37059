import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { DataSource, QueryRunner } from 'typeorm';
import { describeWithPostgres, eventually, postgresForTests, sqliteForTests } from '../testing.js';
import { createDataSource, type DatabaseUrl, migrate } from './migrate.data-source.js';

class Owners0001Migration1700000000001 {
  async up(runner: QueryRunner) {
    await runner.query('CREATE TABLE owner (id INT PRIMARY KEY)');
    await runner.query(
      'CREATE TABLE pet (owner_id INT NOT NULL REFERENCES owner (id) ON DELETE CASCADE)',
    );
    await runner.query('INSERT INTO owner VALUES (1)');
    await runner.query('INSERT INTO pet VALUES (1)');
  }

  async down() {}
}

class Owners0002Migration1700000000002 {
  async up(runner: QueryRunner) {
    await runner.query('ALTER TABLE owner ADD COLUMN age INT NOT NULL DEFAULT 7');
  }

  async down() {}
}

class Broken0003Migration1700000000003 {
  async up(runner: QueryRunner) {
    await runner.query('CREATE TABLE half_done (id INT)');
    await runner.query('SELECT * FROM no_such_table');
  }

  async down() {}
}

/** As TypeORM does for most changes on SQLite; with foreign keys checked, it would delete the pets. */
class Replacing0003Migration1700000000003 {
  async up(runner: QueryRunner) {
    await runner.query('CREATE TABLE new_owner (id INT PRIMARY KEY, age INT)');
    await runner.query('INSERT INTO new_owner SELECT id, age FROM owner');
    await runner.query('DROP TABLE owner');
    await runner.query('ALTER TABLE new_owner RENAME TO owner');
  }

  async down() {}
}

class Orphaning0003Migration1700000000003 {
  async up(runner: QueryRunner) {
    await runner.query('DELETE FROM owner');
  }

  async down() {}
}

/** Timeout for a connection on a busy machine. */
const PATIENT_MS = 60_000;

const BOTH = [Owners0001Migration1700000000001, Owners0002Migration1700000000002];
const NAMES = BOTH.map(({ name }) => name);

describe('migrate on SQLite', () => {
  const open = async () => {
    const { path, dispose } = await sqliteForTests();
    return { database: { type: 'sqlite', path } as const, dispose };
  };
  itMigrates(open);

  it('runs each migration once when 8 processes start at once', async () => {
    const { database, dispose } = await open();
    const names = await Promise.all(
      Array.from({ length: 8 }, () => migrateElsewhere(database.path)),
    );

    expect(names.flat()).toEqual(['Elsewhere0001Migration1700000000001']);
    await dispose();
  });

  it('replaces a table without losing the rows that point at it', async () => {
    const { database, dispose } = await open();
    const migrations = [...BOTH, Replacing0003Migration1700000000003];
    const dataSource = await createDataSource(database, { migrations }).initialize();
    await migrate(dataSource);

    expect(await dataSource.query('SELECT * FROM pet')).toHaveLength(1);
    await expect(dataSource.query('INSERT INTO pet VALUES (2)')).rejects.toThrow('FOREIGN KEY');
    await dataSource.destroy();
    await dispose();
  });

  it('refuses migrations that leave orphans', async () => {
    const { database, dispose } = await open();
    const migrations = [...BOTH, Orphaning0003Migration1700000000003];
    const dataSource = await createDataSource(database, { migrations }).initialize();

    await expect(migrate(dataSource)).rejects.toThrow('without their parent');
    expect(await dataSource.query('SELECT name FROM sqlite_master')).toEqual([]);
    await dataSource.destroy();
    await dispose();
  });
});

describeWithPostgres('migrate on Postgres', () => {
  const open = async () => {
    const { url, dispose } = await postgresForTests();
    return { database: { type: 'postgres', url } as const, dispose };
  };
  itMigrates(open);

  it('waits for a long read of a table, and blocks no other reader meanwhile', async () => {
    const { database, dispose } = await open();
    const first = await createDataSource(database, { migrations: BOTH.slice(0, 1) }).initialize();
    await migrate(first);
    const reader = first.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT * FROM owner');

    const next = await createDataSource(database, { migrations: BOTH }).initialize();
    const migrating = migrate(next);
    const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'owner'::regclass`;
    const waits = async () => expect(await first.query(blocked)).toHaveLength(1);
    await eventually(waits);
    expect(await first.query('SELECT id FROM owner')).toEqual([{ id: 1 }]);
    await eventually(waits);
    await reader.commitTransaction();
    expect(await migrating).toEqual(NAMES.slice(1));
    await reader.release();
    await Promise.all([first.destroy(), next.destroy()]);
    await dispose();
  });
});

function itMigrates(open: () => Promise<{ database: DatabaseUrl; dispose(): Promise<void> }>) {
  let database: DatabaseUrl;
  let dispose: () => Promise<void>;
  let opened: DataSource[];

  beforeEach(async () => {
    ({ database, dispose } = await open());
    opened = [];
  });

  afterEach(async () => {
    await Promise.all(opened.map((dataSource) => dataSource.destroy()));
    await dispose();
  });

  const withMigrations = async (migrations: (new () => object)[]) => {
    const dataSource = createDataSource(database, { migrations });
    if (database.type === 'postgres') dataSource.setOptions({ connectTimeoutMS: PATIENT_MS });
    await dataSource.initialize();
    opened.push(dataSource);
    return dataSource;
  };

  it('runs each migration once when 8 start at once', async () => {
    const names = await Promise.all(
      Array.from({ length: 8 }, async () => migrate(await withMigrations(BOTH))),
    );

    expect(names.flat()).toEqual(NAMES);
    const [dataSource] = opened;
    expect(await dataSource?.query('SELECT * FROM owner')).toEqual([{ id: 1, age: 7 }]);
  });

  it('runs only what is new', async () => {
    expect(await migrate(await withMigrations(BOTH.slice(0, 1)))).toEqual(NAMES.slice(0, 1));
    expect(await migrate(await withMigrations(BOTH))).toEqual(NAMES.slice(1));
    expect(await migrate(await withMigrations(BOTH))).toEqual([]);
  });

  it('keeps nothing of a run that fails', async () => {
    const failing = await withMigrations([...BOTH, Broken0003Migration1700000000003]);
    await expect(migrate(failing)).rejects.toThrow(
      /^the migration Broken0003Migration1700000000003 failed, and nothing was changed: .*no_such_table/,
    );

    expect(await migrate(await withMigrations(BOTH))).toEqual(NAMES);
  });
}

/** Migrates in a child process and returns the names of the migrations that ran there. */
async function migrateElsewhere(path: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) =>
        next(context.parentURL?.endsWith('.ts') && name.startsWith('.')
          ? name.replace(/js$/, 'ts') : name, context),
    });
    const { SqliteDataSource } = await import('${new URL('sqlite/sqlite.data-source.ts', import.meta.url)}');
    const { migrate } = await import('${new URL('migrate.data-source.ts', import.meta.url)}');
    class Elsewhere0001Migration1700000000001 {
      up(runner) { return runner.query('CREATE TABLE t (id)'); }
      async down() {}
    }
    const dataSource = new SqliteDataSource({
      path: '${path}', migrations: [Elsewhere0001Migration1700000000001], waitMs: 60_000,
    });
    await dataSource.initialize();
    console.log(JSON.stringify(await migrate(dataSource)));
    await dataSource.destroy();`;
  const child = spawn(
    process.execPath,
    ['--experimental-transform-types', '--input-type=module', '-e', script],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (code !== 0) throw new Error(complaints);
  return JSON.parse(output);
}
