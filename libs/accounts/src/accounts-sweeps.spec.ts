import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/platform';
import { accountsSweeps } from './accounts-sweeps.js';
import { accountsMigrations } from './migrations/accounts-migrations.js';
import { UserEntity } from './user/user.entity.js';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import { AccountSessionsService } from './session/session.store.js';
import { SessionEntity } from './session/session.entity.js';
import { InviteEntity } from './sign-up/invite.entity.js';

describe('the sweeper of sessions', () => {
  let folder: string;
  let dataSource: DataSource;

  const session = (tokenHash: string, expiresAt: number) => ({
    tokenHash,
    expiresAt,
    userId: 'ann',
    origin: 'http://localhost',
    createdAt: 0,
    lastSeenAt: 0,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweeper-'));
    dataSource = await new DataSource({
      type: 'sqlite',
      database: join(folder, 'test.sqlite'),
      entities: [UserEntity, SessionEntity, RecoveryCodeEntity, InviteEntity],
      migrations: accountsMigrations,
      migrationsRun: true,
    }).initialize();
    await dataSource.manager.insert(UserEntity, { id: 'ann', displayName: 'Ann', createdAt: 0 });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await rm(folder, { recursive: true });
  });

  const sweeper = () =>
    new SweeperService(dataSource).add(...accountsSweeps(new AccountSessionsService(dataSource)));

  it('brings an account down to the 100 sessions that were used last', async () => {
    await dataSource.manager.insert(UserEntity, { id: 'bob', displayName: 'Bob', createdAt: 0 });
    for (let n = 0; n < 350; n += 1) {
      const used = { userId: 'bob', lastSeenAt: n };
      const one = { ...session(`bob-${n}`, Date.now() + 60_000), ...used };
      await dataSource.manager.insert(SessionEntity, one);
    }
    await sweeper().sweep();
    const left = await dataSource.manager.find(SessionEntity, {
      where: { userId: 'bob' },
      order: { lastSeenAt: 'ASC' },
    });
    expect([left.length, left[0]?.tokenHash]).toEqual([100, 'bob-250']);
    await dataSource.manager.delete(SessionEntity, { userId: 'bob' });
  });

  it('removes every expired session, however many, and no other', async () => {
    const now = Date.now();
    const expired = Array.from({ length: 1_234 }, (_, n) => session(`old-${n}`, now - n - 1));
    const live = session('live', now + 60_000);
    await dataSource.manager.insert(SessionEntity, [live]);
    for (let from = 0; from < expired.length; from += 100) {
      await dataSource.manager.insert(SessionEntity, expired.slice(from, from + 100));
    }
    await sweeper().sweep();
    const left = await dataSource.manager.find(SessionEntity);
    expect(left.map(({ tokenHash }) => tokenHash)).toEqual(['live']);
  });
});
