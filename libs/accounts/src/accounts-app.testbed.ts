import type { AddressInfo } from 'node:net';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { createDataSource, migrate } from '#libs/platform';
import { fakeIntervals, sqliteForTests } from '#libs/platform/testing';
import { ActivityReader } from './account/activity.controller.js';
import { AccountsModule } from './accounts.module.js';
import { ownOriginMiddleware } from './request-origin/own-origin.middleware.js';
import { BudgetReader } from './session/session.controller.js';
import { visitorLimit } from './visitor-limit/visitor.guard.js';

export const SWEEP_MS = 10 * 60 * 1000;
export const BUDGET = { used: 1, limit: 10, resetsAt: '2025-01-01T00:00:00.000Z' };

@Module({})
class AccountsAppModule {}

/** An application of AccountsModule and `others` on a new SQLite file; its intervals are advanced by hand. */
export async function startAccountsApp(
  migrations: DataSourceOptions['migrations'],
  others: (accounts: DynamicModule) => DynamicModule[] = () => [],
) {
  fakeIntervals();
  const { path, dispose } = await sqliteForTests();
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
      { provide: BudgetReader, useValue: { find: async () => BUDGET } },
      { provide: ActivityReader, useValue: { list: async () => [] } },
    ],
  });
  const imports = [database, accounts, ...others(accounts), visitorLimit(accounts)];
  const module = { module: AccountsAppModule, imports };
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: false });
  app.use(ownOriginMiddleware());
  const stop = async () => {
    jest.useRealTimers();
    await app.close();
    await dispose();
  };
  const listen = async () => {
    await app.listen(0, '127.0.0.1');
    return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  };
  return { app, listen, stop };
}
