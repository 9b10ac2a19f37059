import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { createDataSource } from '#libs/platform';
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

  /** Values as `SessionsService.prepare` makes them. */
  const session = (token: string) => {
    const about = ['https://gate.example', null, 'passkey', credential.id];
    return [null, token, `id of ${token}`, ann.id, ...about, 1, 1, 2];
  };
  const sessions = async () =>
    (await dataSource.query('SELECT token_hash AS token FROM sessions ORDER BY token_hash')).map(
      ({ token }: { token: string }) => token,
    );

  it('moves the counter on from the value that was read, and from no other', async () => {
    expect(await credentials.signIn(credential, asserted(7), session('a'))).toBe(true);
    expect(await credentials.signIn(credential, asserted(9), session('b'))).toBe(false);
    expect(await stored()).toMatchObject({ signCount: 7, backedUp: true });
    expect(await sessions()).toEqual(['a']);
  });

  it('of 32 sign-ins that read the same counter at once one begins a session', async () => {
    const signIns = Array.from({ length: 32 }, (_, n) =>
      credentials.signIn(credential, asserted(7), session(`token ${n}`)),
    );
    expect((await Promise.all(signIns)).filter(Boolean)).toHaveLength(1);
    expect(await sessions()).toHaveLength(1);
  });

  it('a sign-in to a disabled account begins no session and moves no counter', async () => {
    await dataSource.manager.update(UserEntity, { id: ann.id }, { disabledAt: 1 });
    expect(await credentials.signIn(credential, asserted(7), session('a'))).toBe(false);
    expect([await sessions(), await stored()]).toEqual([
      [],
      expect.objectContaining({ signCount: 5 }),
    ]);
  });
});
