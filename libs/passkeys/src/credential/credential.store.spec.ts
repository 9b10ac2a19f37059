import type { DataSource } from 'typeorm';
import { accountsMigrations, sessionValues, UserEntity } from '#libs/accounts';
import { createDataSource, SweeperService } from '#libs/platform';
import {
  describeOnDatabases,
  describeWithPostgres,
  eventually,
  postgresForTests,
  sqliteForTests,
  type TestPostgres,
} from '#libs/platform/testing';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { CredentialEntity, CredentialTombstoneEntity } from './credential.entity.js';
import type { Credential } from './credential.js';
import { CredentialStore, insertTombstones, moveOlderTombstones } from './credential.store.js';

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

/** Values as `BrowserSessionsService.prepare` makes them. */
const session = (tokenHash: string) =>
  sessionValues(
    {
      tokenHash,
      id: `id of ${tokenHash}`,
      userId: ann.id,
      origin: 'https://gate.example',
      browser: null,
      beganBy: 'passkey',
      credentialId: credential.id,
      createdAt: 1,
      lastSeenAt: 1,
      expiresAt: 2,
    },
    undefined,
  );

describe('CredentialStore', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let dataSource: DataSource;
  let credentials: CredentialStore;

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
    credentials = new CredentialStore(dataSource);
    await credentials.insert(dataSource.manager, credential);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await sqlite.dispose();
  });

  const asserted = (signCount: number) => ({ signCount, backedUp: true });
  const stored = async () => (await credentials.find(credential.id))?.credential;

  it('refuses an id that is taken', async () => {
    const again = credentials.insert(dataSource.manager, { ...credential, signCount: 0 });
    await expect(again).rejects.toMatchObject({ status: 409 });
    expect(await stored()).toMatchObject({ signCount: 5 });
  });

  const sessions = async () =>
    (await dataSource.query('SELECT token_hash AS token FROM sessions ORDER BY token_hash')).map(
      ({ token }: { token: string }) => token,
    );

  it('moves the counter on from the value that was read, and from no other', async () => {
    expect(await credentials.signIn(credential, asserted(7), session('a'))).toBeDefined();
    expect(await credentials.signIn(credential, asserted(9), session('b'))).toBeUndefined();
    expect(await stored()).toMatchObject({ signCount: 7, backedUp: true });
    expect(await sessions()).toEqual(['a']);
  });

  it('a sign-in to a disabled account begins no session and moves no counter', async () => {
    await dataSource.manager.update(UserEntity, { id: ann.id }, { disabledAt: 1 });
    expect(await credentials.signIn(credential, asserted(7), session('a'))).toBeUndefined();
    expect([await sessions(), await stored()]).toEqual([
      [],
      expect.objectContaining({ signCount: 5 }),
    ]);
  });
});

const ID = 'C'.repeat(22);

describeWithPostgres('a sign-in while another replica is about to keep its account out', () => {
  let postgres: TestPostgres;
  let dataSource: DataSource;
  let credentials: CredentialStore;

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
    credentials = new CredentialStore(dataSource);
  });
  beforeEach(async () => {
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
    const signingIn = credentials.signIn(found.credential, asserted, session('token'));
    await waiting();
    await replica.commitTransaction();
    await replica.release();
    expect(await signingIn).toBeUndefined();
    expect(await dataSource.query('SELECT id FROM sessions')).toEqual([]);
  });
});

const MOST = 100;
const idOf = (n: number) => `credential-${String(n).padStart(32, '0')}`;

const schema = {
  entities: [UserEntity, CredentialTombstoneEntity],
  migrations: [...accountsMigrations, ...passkeysMigrations],
};

describeOnDatabases('tombstones', schema, (replicas) => {
  const at = (n: number): DataSource => replicas()[n % 2 === 0 ? 0 : 1];
  const wasDeleted = (n: number, id: string) => new CredentialStore(at(n)).wasDeleted(id);
  const stored = () => at(0).manager.find(CredentialTombstoneEntity);
  /** As in a transaction that holds the lock of the account. */
  const buryAt = (n: number, userId: string, ids: readonly string[]) =>
    at(n).transaction(async (manager) => {
      await manager.update(UserEntity, { id: userId }, { id: userId });
      await insertTombstones(manager, userId, ids);
    });
  /** As an older version does, which stores the ids themselves. */
  const buryAsOlder = (id: string) =>
    at(0).query('INSERT INTO deleted_credentials (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  const older = () => at(0).query('SELECT id FROM deleted_credentials');

  beforeEach(async () => {
    for (const id of ['ann', 'bob']) {
      const user = { id, displayName: id, createdAt: 0, disabledAt: null };
      await at(0).manager.insert(UserEntity, user);
    }
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await at(0).manager.deleteAll(UserEntity);
    await at(0).manager.deleteAll(CredentialTombstoneEntity);
  });

  it('have a hash and no id', async () => {
    await buryAt(0, 'ann', [idOf(0)]);
    const [tombstone] = await stored();
    expect(tombstone).toEqual({
      idHash: expect.stringMatching(/^[\w-]{43}$/),
      userId: 'ann',
      deletedAt: expect.any(Number),
    });
    expect(JSON.stringify(tombstone)).not.toContain('credential');
    expect([await wasDeleted(1, idOf(0)), await wasDeleted(1, idOf(1))]).toEqual([true, false]);
  });

  it('of an account are the newest 100, of no other account any less', async () => {
    const clock = jest.spyOn(Date, 'now');
    await buryAt(0, 'bob', [idOf(1000)]);
    for (let n = 0; n < MOST + 20; n += 1) {
      clock.mockReturnValue(n + 1);
      await buryAt(n, 'ann', [idOf(n)]);
    }
    expect(await at(0).manager.countBy(CredentialTombstoneEntity, { userId: 'ann' })).toBe(MOST);
    expect([await wasDeleted(0, idOf(19)), await wasDeleted(0, idOf(20))]).toEqual([false, true]);
    expect(await wasDeleted(0, idOf(1000))).toBe(true);
  });

  it('of an account are 100 after deletions at once on two replicas', async () => {
    await buryAt(
      0,
      'ann',
      Array.from({ length: MOST }, (_, n) => idOf(n)),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => buryAt(n, 'ann', [idOf(MOST + n), idOf(200 + n)])),
    );
    expect(await at(0).manager.countBy(CredentialTombstoneEntity, { userId: 'ann' })).toBe(MOST);
  });

  it('stay when their account is deleted, without it', async () => {
    await buryAt(0, 'ann', [idOf(0)]);
    await at(0).manager.delete(UserEntity, { id: 'ann' });
    expect(await stored()).toEqual([expect.objectContaining({ userId: null })]);
    expect(await wasDeleted(0, idOf(0))).toBe(true);
  });

  it('are not moved to another account that made a passkey of that id and deleted it', async () => {
    await buryAt(0, 'ann', [idOf(0)]);
    await buryAt(0, 'bob', [idOf(0)]);
    expect(await stored()).toEqual([expect.objectContaining({ userId: 'ann' })]);
  });

  it('of an older version count, and two replicas move them at once, whatever comes meanwhile', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => idOf(n));
    for (const id of ids) await buryAsOlder(id);
    await buryAt(0, 'ann', [idOf(0)]);
    expect(await wasDeleted(0, idOf(1))).toBe(true);
    const sweepers = [0, 1].map((n) => new SweeperService(at(n)).add(moveOlderTombstones));
    await Promise.all([...sweepers.map((one) => one.sweep()), buryAsOlder(idOf(250))]);
    await sweepers[0]?.sweep();
    expect(await older()).toEqual([]);
    expect(await at(0).manager.count(CredentialTombstoneEntity)).toBe(251);
    for (const id of [...ids, idOf(250)]) expect(await wasDeleted(1, id)).toBe(true);
  });
});
