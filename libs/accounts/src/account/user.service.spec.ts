import { AccountTurns } from '#libs/platform';
import { describeOnDatabases } from '#libs/platform/testing';
import { accountsMigrations } from '../migrations/accounts-migrations.js';
import { UserEntity } from '../user/user.entity.js';
import { UserStore } from '../user/user.store.js';
import { UserDirectoryService } from './user.service.js';
import { SessionStore } from '../session/session.store.js';
import { RecoveryCodeEntity } from '../recovery/recovery-code.entity.js';
import { RecoveryCodeStore } from '../recovery/recovery-code.store.js';
import { SessionEntity } from '../session/session.entity.js';
import { BrowserSessionsService } from '../session/session.service.js';

const DAY_MS = 86_400_000;
const ORIGIN = 'https://gate.example';
const OPTIONS = {
  sessionLifetimes: { idleMs: DAY_MS, maxMs: DAY_MS },
  rateLimit: { max: 1, periodMs: 1 },
};

const BEGINNING = { origin: ORIGIN, browser: null, began: { by: 'recovery' } } as const;

const schema = {
  entities: [UserEntity, SessionEntity, RecoveryCodeEntity],
  migrations: accountsMigrations,
};

describeOnDatabases('disabling an account', schema, (replicas) => {
  const sessions = () => {
    const users = new UserStore(replicas()[0]);
    return new BrowserSessionsService(
      OPTIONS,
      new SessionStore(replicas()[0], users),
      users,
      new AccountTurns(),
    );
  };
  const accounts = () => {
    const [, dataSource] = replicas();
    const users = new UserStore(dataSource);
    const store = new SessionStore(dataSource, users);
    const codes = new RecoveryCodeStore(dataSource);
    return new UserDirectoryService(dataSource, users, store, codes);
  };
  let user: string;
  let users = 0;

  const start = () =>
    replicas()[0].transaction((manager) =>
      sessions().start(manager, { ...BEGINNING, userId: user }),
    );

  beforeEach(async () => {
    user = `user-${++users}`;
    const row = { id: user, displayName: 'Ann', createdAt: 0, disabledAt: null };
    await replicas()[0].manager.insert(UserEntity, row);
  });

  it('ends the sessions there are, and lets none begin until it is enabled', async () => {
    const token = await start();
    expect(await accounts().disable(user)).toHaveLength(1);
    expect(await accounts().disable(user)).toHaveLength(0);
    expect(await sessions().findByToken(token, ORIGIN)).toBeUndefined();
    await expect(start()).rejects.toMatchObject({ status: 403 });
    await accounts().enable(user);
    expect(await sessions().findByToken(token, ORIGIN)).toBeUndefined();
    expect(await sessions().findByToken(await start(), ORIGIN)).toBeDefined();
  });

  it('leaves no session to sign-ins at the same moment', async () => {
    const signIns = Array.from({ length: 20 }, () => start());
    await Promise.all([accounts().disable(user), Promise.allSettled(signIns)]);
    expect(await replicas()[0].manager.countBy(SessionEntity, { userId: user })).toBe(0);
  });

  it('knows no account that is not there', async () => {
    await expect(accounts().disable('no-such-user')).rejects.toMatchObject({ status: 404 });
    await expect(accounts().enable('no-such-user')).rejects.toMatchObject({ status: 404 });
  });
});
