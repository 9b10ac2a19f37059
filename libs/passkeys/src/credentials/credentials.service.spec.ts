import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { createDataSource } from '#libs/database';
import { sqliteForTests } from '../../../../test/support/services/storage-for-tests.js';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import type { Credential } from './credential.js';
import { CredentialEntity } from './credential.entity.js';
import { CredentialsService } from './credentials.service.js';

const ann = { id: 'ann', displayName: 'Ann', createdAt: 0 };
const credential: Credential = {
  id: 'C'.repeat(22),
  userId: ann.id,
  rpId: 'gate.example',
  publicKey: new Uint8Array([1, 2, 3]),
  signCount: 5,
  transports: ['usb'],
  backupEligible: false,
  backedUp: false,
  aaguid: null,
};

describe('CredentialsService', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let credentials: CredentialsService;

  beforeEach(async () => {
    sqlite = await sqliteForTests();
    dataSource = createDataSource(
      { type: 'sqlite', path: sqlite.path },
      {
        entities: [UserEntity, CredentialEntity],
        migrations: [...accountsMigrations, ...passkeysMigrations],
      },
    );
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.manager.insert(UserEntity, ann);
    credentials = new CredentialsService(dataSource);
    await credentials.insert(dataSource.manager, credential);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await sqlite.dispose();
  });

  const asserted = (signCount: number) => ({ signCount, backedUp: true });
  const stored = async () => (await credentials.find(credential.id))?.credential;

  it('gives a credential back as it was inserted, with its owner', async () => {
    const owner = { id: ann.id, displayName: ann.displayName };
    expect(await credentials.find(credential.id)).toMatchObject({ credential, owner });
  });

  it('refuses an id that is taken', async () => {
    const again = credentials.insert(dataSource.manager, { ...credential, signCount: 0 });
    await expect(again).rejects.toMatchObject({ status: 409 });
    expect(await stored()).toMatchObject({ signCount: 5 });
  });

  it('moves the counter on from the value that was read, and from no other', async () => {
    expect(await credentials.advance(dataSource.manager, credential, asserted(7))).toBe(true);
    expect(await credentials.advance(dataSource.manager, credential, asserted(9))).toBe(false);
    expect(await stored()).toMatchObject({ signCount: 7, backedUp: true });
  });
});
