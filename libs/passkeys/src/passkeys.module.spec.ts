import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  accountsMigrations,
  AccountsModule,
  ActivityReader,
  BudgetReader,
  ownOriginMiddleware,
  visitorLimit,
} from '#libs/accounts';
import { createDataSource, databaseMigrations, migrate } from '#libs/platform';
import { eventually, sqliteForTests } from '#libs/platform/testing';
import { passkeysMigrations } from './migrations/passkeys-migrations.js';
import { PasskeysModule } from './passkeys.module.js';

const SWEEP_MS = 10 * 60 * 1000;
const ALL_BUT_INTERVALS = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

describe('PasskeysModule in an application that has accounts and nothing else', () => {
  let sqlite: Awaited<ReturnType<typeof sqliteForTests>>;
  let app: NestExpressApplication;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ALL_BUT_INTERVALS });
    sqlite = await sqliteForTests();
    const { path } = sqlite;
    const migrations = [...accountsMigrations, ...passkeysMigrations, ...databaseMigrations];
    const database = TypeOrmModule.forRootAsync({
      useFactory: () => ({ type: 'sqlite', database: path, autoLoadEntities: true }),
      dataSourceFactory: async (options) => {
        const schema = { entities: options?.entities ?? [], migrations };
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
        { provide: BudgetReader, useValue: { find: async () => undefined } },
        { provide: ActivityReader, useValue: { list: async () => [] } },
      ],
    });
    const passkeys = PasskeysModule.forRoot({ relyingPartyName: 'Acme', imports: [accounts] });
    const module = await Test.createTestingModule({
      imports: [database, passkeys, visitorLimit(accounts)],
    }).compile();
    app = module.createNestApplication<NestExpressApplication>({ logger: false });
    app.use(ownOriginMiddleware());
    await app.listen(0, '127.0.0.1');
  });
  afterEach(async () => {
    jest.useRealTimers();
    await app.close();
    await sqlite.dispose();
  });

  it('begins both ceremonies', async () => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const options = { method: 'POST', body: JSON.stringify({ displayName: 'Ann' }) };
    for (const ceremony of ['register', 'login']) {
      const path = `http://127.0.0.1:${port}/svc/auth/${ceremony}/options`;
      const answer = await fetch(path, options);
      expect(await answer.json()).toMatchObject({
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      });
    }
  });

  it('removes what is known of sign-in challenges that have expired by itself', async () => {
    const { manager } = app.get(DataSource);
    await manager.insert('taken_challenges', { challengeHash: 'old', expiresAt: 1 });
    jest.advanceTimersByTime(SWEEP_MS);
    await eventually(async () => expect(await manager.count('taken_challenges')).toBe(0));
  });
});
