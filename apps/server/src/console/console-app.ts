import { type INestApplication, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, type ModuleRef, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { getStorageToken } from '@nestjs/throttler';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DataSource } from 'typeorm';
import { asVisitor, clientAddressOf, OwnAccountService } from '#libs/accounts';
import { CredentialStore } from '#libs/passkeys';
import { refuseOtherHosts, runningIn } from '../admin/http/admin-app.js';
import { OPERATIONS } from '../admin/operations.js';
import { ReplicaService } from '../admin/replica.service.js';
import {
  commonHeaders,
  exactExpress,
  keepDecodable,
  trustProxies,
} from '../http/express.adapter.js';
import { ReadinessService } from '../observability/health/readiness.service.js';
import { ActionsController } from './actions.controller.js';
import { ConsoleErrorFilter } from './console-error.filter.js';
import { ConsoleGuard } from './console.guard.js';
import { CONSOLE_OPTIONS, type ConsoleOptions } from './console.module-definition.js';
import { FiguresStore } from './figures.store.js';
import { ConsoleOperations } from './operations.service.js';
import { OverviewController } from './overview.controller.js';
import { PagesController } from './pages.controller.js';
import { ConsoleSessions } from './session.service.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  controllers: [SignInController, OverviewController, PagesController, ActionsController],
  providers: [
    ...OPERATIONS,
    ConsoleOperations,
    ConsoleSessions,
    FiguresStore,
    { provide: APP_GUARD, useClass: ConsoleGuard },
  ],
})
class ConsoleAppModule {}

const FROM_MAIN = [
  CredentialStore,
  DataSource,
  OwnAccountService,
  ReadinessService,
  ReplicaService,
  getStorageToken(),
];

/** The pages under `/console`, over the operations of the running application. */
export async function createConsoleApp(
  modules: ModuleRef,
  options: ConsoleOptions,
  hosts: readonly string[],
  record: RequestHandler,
): Promise<INestApplication> {
  const { serviceName, trustedProxies, clientAddressHeader } = options;
  const server = exactExpress();
  trustProxies(server, trustedProxies);
  const providers = [
    ...runningIn(modules, FROM_MAIN),
    { provide: CONSOLE_OPTIONS, useValue: options },
    { provide: APP_FILTER, useValue: new ConsoleErrorFilter(serviceName) },
  ];
  const app = await NestFactory.create(
    { module: ConsoleAppModule, providers },
    new ExpressAdapter(server),
    { bodyParser: false, abortOnError: false },
  );
  const asClient = (request: Request, _response: Response, next: NextFunction) => {
    const address = clientAddressOf(request, clientAddressHeader) ?? request.socket.remoteAddress;
    asVisitor(address, next);
  };
  app.use(record, commonHeaders, refuseOtherHosts(hosts), keepDecodable, asClient);
  return app.init();
}
