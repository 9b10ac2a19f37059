import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { createDataSource, migrate, SweeperService } from '#libs/platform';
import { eventually, sqliteForTests } from '#libs/platform/testing';
import { AccountsModule, accountsSweeps } from './accounts.module.js';
import { RefusalError } from './http/refusal.error.js';
import { accountsMigrations } from './migrations/accounts-migrations.js';
import { RecoveryCodeEntity } from './recovery/recovery-code.entity.js';
import { RecoveryCodesService } from './recovery/recovery-code.service.js';
import { ownOriginMiddleware } from './request-origin/own-origin.middleware.js';
import { ActivityReader } from './account/activity.controller.js';
import { BudgetReader } from './session/session.controller.js';
import { SessionEntity } from './session/session.entity.js';
import { BrowserSessionsService } from './session/session.service.js';
import { SessionStore } from './session/session.store.js';
import { InviteEntity } from './sign-up/invite.entity.js';
import { InviteStore } from './sign-up/invite.store.js';
import { UserEntity } from './user/user.entity.js';
import { UserStore } from './user/user.store.js';
import { visitorLimit } from './visitor-limit/visitor.guard.js';

const ann = { id: 'ann', displayName: 'Ann' };
const budget = { used: 1, limit: 10, resetsAt: '2025-01-01T00:00:00.000Z' };
const SWEEP_MS = 10 * 60 * 1000;
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

@Catch(RefusalError)
class RefusalFilter implements ExceptionFilter<RefusalError> {
  catch({ status, headers, message }: RefusalError, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(status).set(headers).json({ error: message });
  }
}

describe('AccountsModule in an application that has nothing else of the service', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let app: NestExpressApplication;
  let origin: string;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
    sqlite = await sqliteForTests();
    const { path } = sqlite;
    const database = TypeOrmModule.forRootAsync({
      useFactory: () => ({ type: 'sqlite', database: path, autoLoadEntities: true }),
      dataSourceFactory: async (options) => {
        const { entities = [] } = options ?? {};
        const schema = { entities, migrations: accountsMigrations };
        const dataSource = createDataSource({ type: 'sqlite', path }, schema);
        await dataSource.initialize();
        await migrate(dataSource);
        return dataSource;
      },
    });
    const accounts = AccountsModule.forRoot({
      sessionLifetimes: { idleMs: 60_000, maxMs: 60_000 },
      rateLimit: { max: 10, periodMs: 60_000 },
      providers: [
        { provide: BudgetReader, useValue: { find: async () => budget } },
        { provide: ActivityReader, useValue: { list: async () => [] } },
      ],
    });
    const module = await Test.createTestingModule({
      imports: [database, accounts, visitorLimit(accounts)],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    app.use(ownOriginMiddleware());
    app.useGlobalFilters(new RefusalFilter());
    await app.listen(0, '127.0.0.1');
    origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    jest.useRealTimers();
    await app.close();
    await sqlite.dispose();
  });

  const signIn = () =>
    app.get(DataSource).transaction(async (manager) => {
      await app.get(UserStore).insert(manager, ann);
      const began = { by: 'recovery' } as const;
      const session = { userId: ann.id, origin, browser: null, began };
      return app.get(BrowserSessionsService).start(manager, session);
    });

  it('says who is signed in', async () => {
    const cookie = `session=${await signIn()}`;
    const answer = await fetch(`${origin}/svc/auth/me`, { headers: { cookie } });
    expect(await answer.json()).toEqual({ user: ann, budget });
  });

  it('refuses in the words of the filter', async () => {
    const answer = await fetch(`${origin}/svc/auth/logout`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toEqual({ error: 'this route takes POST only' });
  });

  it('removes sessions that have expired by itself', async () => {
    await signIn();
    const { manager } = app.get(DataSource);
    await manager.update('sessions', { userId: ann.id }, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('sessions')).toBe(0));
  });

  it('removes links for recovery that have expired by itself', async () => {
    await signIn();
    await app.get(RecoveryCodesService).createLinkCode(ann.id, null);
    const { manager } = app.get(DataSource);
    await manager.update('recovery_codes', { userId: ann.id }, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('recovery_codes')).toBe(0));
  });

  it('removes invites that have expired by itself', async () => {
    const invite = { uses: 1, expiresAt: Date.now() + 60_000, createdBy: 'root' };
    const { id } = await app.get(InviteStore).create(invite);
    const { manager } = app.get(DataSource);
    await manager.update('invites', { id }, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('invites')).toBe(0));
  });
});

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
    new SweeperService(dataSource).add(
      ...accountsSweeps(new SessionStore(dataSource, new UserStore(dataSource))),
    );

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
});
