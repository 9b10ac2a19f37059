import type { DataSource } from 'typeorm';
import { accountsMigrations, UserEntity } from '#libs/accounts';
import { SweeperService } from '#libs/platform';
import { describeOnDatabases } from '../../../../test/support/services/describe-on-databases.js';
import { passkeysMigrations } from '../migrations/passkeys-migrations.js';
import { CredentialTombstoneEntity } from './credential-tombstone.entity.js';
import { bury, buryOlder, isBuried } from './tombstones.sql.js';

const MOST = 100;
const idOf = (n: number) => `credential-${String(n).padStart(32, '0')}`;

const schema = {
  entities: [UserEntity, CredentialTombstoneEntity],
  migrations: [...accountsMigrations, ...passkeysMigrations],
};

describeOnDatabases('tombstones', schema, (replicas) => {
  const at = (n: number): DataSource => replicas()[n % 2 === 0 ? 0 : 1];
  const stored = () => at(0).manager.find(CredentialTombstoneEntity);
  /** As in a transaction that holds the lock of the account. */
  const buryAt = (n: number, userId: string, ids: readonly string[]) =>
    at(n).transaction(async (manager) => {
      await manager.update(UserEntity, { id: userId }, { id: userId });
      await bury(manager, userId, ids);
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
    expect([await isBuried(at(1), idOf(0)), await isBuried(at(1), idOf(1))]).toEqual([true, false]);
  });

  it('of an account are the newest 100, of no other account any less', async () => {
    const clock = jest.spyOn(Date, 'now');
    await buryAt(0, 'bob', [idOf(1000)]);
    for (let n = 0; n < MOST + 20; n += 1) {
      clock.mockReturnValue(n + 1);
      await buryAt(n, 'ann', [idOf(n)]);
    }
    expect(await at(0).manager.countBy(CredentialTombstoneEntity, { userId: 'ann' })).toBe(MOST);
    expect([await isBuried(at(0), idOf(19)), await isBuried(at(0), idOf(20))]).toEqual([
      false,
      true,
    ]);
    expect(await isBuried(at(0), idOf(1000))).toBe(true);
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
    expect(await isBuried(at(0), idOf(0))).toBe(true);
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
    expect(await isBuried(at(0), idOf(1))).toBe(true);
    const sweepers = [0, 1].map((n) => new SweeperService(at(n)).add(buryOlder));
    await Promise.all([...sweepers.map((one) => one.sweep()), buryAsOlder(idOf(250))]);
    await sweepers[0]?.sweep();
    expect(await older()).toEqual([]);
    expect(await at(0).manager.count(CredentialTombstoneEntity)).toBe(251);
    for (const id of [...ids, idOf(250)]) expect(await isBuried(at(1), id)).toBe(true);
  });
});
