import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { createDataSource } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithPostgres } from '../../../../test/support/services/describe-with.js';
import {
  postgresForTests,
  type TestPostgres,
} from '../../../../test/support/services/postgres-for-tests.js';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { CredentialEntity } from './credential.entity.js';
import { CredentialsService } from './credentials.service.js';

const ID = 'C'.repeat(22);
const SESSION = [null, 'token', 'id', 'ann', 'http://localhost', null, 'passkey', ID, 1, 1, 2];

describeWithPostgres('a sign-in while another replica is about to keep its account out', () => {
  let postgres: TestPostgres;
  let dataSource: DataSource;
  let credentials: CredentialsService;

  beforeAll(async () => {
    postgres = await postgresForTests();
    const entities = [UserEntity, CredentialEntity];
    const migrations = [...accountsMigrations, ...passkeysMigrations];
    dataSource = createDataSource(
      { type: 'postgres', url: postgres.url },
      { entities, migrations },
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    credentials = new CredentialsService(dataSource);
  });
  beforeEach(async () => {
    const ann = { id: 'ann', displayName: 'Ann', createdAt: 0 };
    await dataSource.manager.insert(UserEntity, ann);
    const made = { id: ID, userId: 'ann', rpId: 'localhost', publicKey: new Uint8Array([1]) };
    const flags = { transports: [], backupEligible: false, backedUp: false, aaguid: null };
    await credentials.insert(dataSource.manager, { ...made, ...flags, signCount: 5 });
  });
  afterEach(() => dataSource.manager.delete(UserEntity, { id: 'ann' }));
  afterAll(async () => {
    await dataSource.destroy();
    await postgres.dispose();
  });

  const waiting = () =>
    eventually(async () => {
      const rows = await dataSource.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });

  it.each([
    ['disables it', ['UPDATE users SET disabled_at = 1']],
    ['deletes it', ['DELETE FROM users']],
    ['deletes the passkey', ['UPDATE users SET id = id', 'DELETE FROM credentials']],
    ['signs in as well', ['UPDATE credentials SET sign_count = 6']],
  ])('waits for who %s, and begins no session then', async (_what, statements) => {
    const found = await credentials.find(ID);
    if (!found) throw new Error('not stored');
    const replica = dataSource.createQueryRunner();
    await replica.startTransaction();
    for (const statement of statements) await replica.query(statement);
    const asserted = { signCount: 7, backedUp: false };
    const signingIn = credentials.signIn(found.credential, asserted, SESSION);
    await waiting();
    await replica.commitTransaction();
    await replica.release();
    expect(await signingIn).toBe(false);
    expect(await dataSource.query('SELECT id FROM sessions')).toEqual([]);
  });
});
