import { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { PreparedStatement } from '#libs/platform';
import { describeWithPostgres } from '../../../../test/support/services/describe-with.js';
import { postgresForTests } from '../../../../test/support/services/postgres-for-tests.js';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { AssertionEntity } from './assertion.entity.js';
import { clientUse } from './client.store.js';
import { RegisteredClientEntity } from './registered-client.entity.js';

/** Two connections to one empty database, as two replicas have them. */
type Replicas = readonly [DataSource, DataSource];

const schema = {
  entities: [RegisteredClientEntity, AssertionEntity],
  migrations: [...accountsMigrations, ...oauthMigrations],
};

const USE = new PreparedStatement('client-use', (dialect) =>
  clientUse('$1', 'CAST($2 AS bigint)')({ ...dialect, decided: 'TRUE' }),
);

/** Runs the statement by which a change records the use of a client. */
export const noteUse = (dataSource: DataSource, id: string) =>
  USE.run(dataSource, [id, Date.now()]);

interface Database {
  connect(): Promise<DataSource>;
  dispose(): Promise<void>;
}

/** Describes tests on SQLite and, if configured, on Postgres. */
export function describeOnDatabases(title: string, body: (replicas: () => Replicas) => void) {
  describe(`${title} on SQLite`, () => on(sqlite, body));
  describeWithPostgres(`${title} on Postgres`, () => on(postgres, body));
}

function on(open: () => Promise<Database>, body: (replicas: () => Replicas) => void) {
  let database: Database;
  let replicas: Replicas;

  beforeAll(async () => {
    database = await open();
    replicas = [await database.connect(), await database.connect()];
    await replicas[0].runMigrations();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((dataSource) => dataSource.destroy()));
    await database.dispose();
  });

  body(() => replicas);
}

async function sqlite(): Promise<Database> {
  const { path, dispose } = await sqliteForTests();
  const options = { database: path, enableWAL: true, busyTimeout: 10_000 };
  return {
    connect: () => new DataSource({ type: 'sqlite', ...options, ...schema }).initialize(),
    dispose,
  };
}

async function postgres(): Promise<Database> {
  const { url, dispose } = await postgresForTests();
  return {
    connect: () => new DataSource({ type: 'postgres', url, ...schema }).initialize(),
    dispose,
  };
}
