import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { createDataSource, type DatabaseUrl, migrate } from '#libs/database';
import { describeWithPostgres } from '../../../../test/support/services/describe-with.js';
import { postgresForTests } from '../../../../test/support/services/postgres-for-tests.js';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { ConsentEntity } from '../consents/consent.entity.js';
import { oauthMigrations } from '../migrations/oauth-migrations.js';
import { GrantEntity } from './grant.entity.js';
import { describeTokenStore } from './token-store.contract.js';
import { TokenEntity } from './token.entity.js';

const schema = {
  entities: [UserEntity, GrantEntity, TokenEntity, ConsentEntity],
  migrations: [...accountsMigrations, ...oauthMigrations],
};

interface Storage {
  readonly location: DatabaseUrl;
  dispose(): Promise<void>;
}

/** Runs the contract on an empty, migrated database. */
function runOn(make: () => Promise<Storage>) {
  let storage: Storage;
  let dataSource: DataSource;

  beforeAll(async () => {
    storage = await make();
    dataSource = await createDataSource(storage.location, schema).initialize();
    await migrate(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await storage.dispose();
  });

  describeTokenStore(() => dataSource);
}

describe('grants and tokens on SQLite', () => {
  runOn(async () => {
    const { path, dispose } = await sqliteForTests();
    return { location: { type: 'sqlite', path }, dispose };
  });
});

describeWithPostgres('grants and tokens on Postgres', () => {
  runOn(async () => {
    const { url, dispose } = await postgresForTests();
    return { location: { type: 'postgres', url }, dispose };
  });
});
