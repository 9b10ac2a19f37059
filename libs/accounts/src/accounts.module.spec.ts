import type { AddressInfo } from 'node:net';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { createDataSource, migrate } from '#libs/platform';
import { eventually } from '../../../test/support/eventually.js';
import { sqliteForTests } from '../../../test/support/services/storage-for-tests.js';
import { visitorLimit } from './visitor-limit/visitor.guard.js';
import { accountsMigrations } from './migrations/accounts-migrations.js';
import { AccountsModule } from './accounts.module.js';
import { ActivityReader } from './security-event/activity-reader.js';
import { BudgetReader } from './session/session.controller.js';
import { InviteDirectoryService } from './sign-up/invite.service.js';
import { ownOriginMiddleware } from './request-origin/own-origin.middleware.js';
import { RecoveryLinksService } from './recovery/recovery-code.service.js';
import { RefusalError } from './http/refusal.error.js';
import { SessionsService } from './session/session.service.js';
import { UsersService } from './user/user.store.js';

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
      await app.get(UsersService).insert(manager, ann);
      const began = { by: 'recovery' } as const;
      const session = { userId: ann.id, origin, browser: null, began };
      return app.get(SessionsService).start(manager, session, undefined);
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
    await app.get(RecoveryLinksService).create(ann.id, origin);
    const { manager } = app.get(DataSource);
    await manager.update('recovery_codes', { userId: ann.id }, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('recovery_codes')).toBe(0));
  });

  it('removes invites that have expired by itself', async () => {
    const invite = { uses: 1, expiresAt: Date.now() + 60_000, createdBy: 'root' };
    const { id } = await app.get(InviteDirectoryService).create(invite);
    const { manager } = app.get(DataSource);
    await manager.update('invites', { id }, { expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('invites')).toBe(0));
  });
});
