import type { DataSource } from 'typeorm';
import { accountsMigrations } from '#libs/accounts';
import { createDataSource, type DatabaseUrl, migrate, PreparedStatement } from '#libs/platform';
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

/** As the specs wait on a busy machine. */
const CONNECT_MS = 30_000;

interface Database {
  readonly location: DatabaseUrl;
  dispose(): Promise<void>;
}

type Body = (replicas: () => Replicas) => void;

/** Describes tests on SQLite and, if configured, on Postgres. */
export function describeOnReplicas(title: string, body: Body) {
  describe(`${title} on SQLite`, () =>
    runOn(async () => {
      const { path, dispose } = await sqliteForTests();
      return { location: { type: 'sqlite', path }, dispose };
    }, body));
  describeWithPostgres(`${title} on Postgres`, () =>
    runOn(async () => {
      const { url, dispose } = await postgresForTests();
      return { location: { type: 'postgres', url }, dispose };
    }, body),
  );
}

function runOn(create: () => Promise<Database>, body: Body) {
  let database: Database;
  let replicas: Replicas;

  beforeAll(async () => {
    database = await create();
    const connect = () => createDataSource(database.location, schema, CONNECT_MS).initialize();
    replicas = [await connect(), await connect()];
    await migrate(replicas[0]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((dataSource) => dataSource.destroy()));
    await database.dispose();
  });

  body(() => replicas);
}
