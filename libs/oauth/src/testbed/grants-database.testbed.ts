import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { type DatabaseUrl, createDataSource, migrate } from '#libs/platform';
import { describeWithPostgres } from '../../../../test/support/services/describe-with.js';
import { postgresForTests } from '../../../../test/support/services/postgres-for-tests.js';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { ConsentEntity } from '../consent/consent.entity.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { CODE_LIFETIME_MS } from '../grant/grant.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { TokenEntity } from '../token/token.entity.js';

export const ORIGIN = 'http://localhost';

const schema = {
  entities: [UserEntity, GrantEntity, TokenEntity, ConsentEntity],
  migrations: [...accountsMigrations, ...oauthMigrations],
};

/** On Postgres dozens of parallel calls share few connections, which takes long on a busy machine. */
const CONNECT_MS = 30_000;

interface Database {
  readonly location: DatabaseUrl;
  dispose(): Promise<void>;
}

type Body = (open: () => DataSource) => void;

/** Describes tests of grants and tokens on SQLite and, if configured, on Postgres. */
export function describeOnDatabases(title: string, body: Body) {
  describe(`${title} on SQLite`, () => {
    runOn(async () => {
      const { path, dispose } = await sqliteForTests();
      return { location: { type: 'sqlite', path }, dispose };
    }, body);
  });
  describeOnPostgres(title, body);
}

export function describeOnPostgres(title: string, body: Body) {
  describeWithPostgres(`${title} on Postgres`, () => {
    runOn(async () => {
      const { url, dispose } = await postgresForTests();
      return { location: { type: 'postgres', url }, dispose };
    }, body);
  });
}

/** Runs the body on an empty, migrated database. */
function runOn(create: () => Promise<Database>, body: Body) {
  let database: Database;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await create();
    dataSource = await createDataSource(database.location, schema, CONNECT_MS).initialize();
    await migrate(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.dispose();
  });

  body(() => dataSource);
}

/** A new grant of a new user; returns its id. */
export async function beginGrant(dataSource: DataSource): Promise<string> {
  const userId = randomUUID();
  await dataSource.manager.insert(UserEntity, { id: userId, displayName: 'Ann', createdAt: 0 });
  const names = { userId, clientId: 'app', app: 'App', redirectHost: null, published: null };
  const grant = { ...names, origin: ORIGIN, scope: 'account:read' };
  const [id, now] = [randomUUID(), Date.now()];
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + CODE_LIFETIME_MS };
  await dataSource.manager.insert(GrantEntity, { id, ...grant, ...times });
  return id;
}
