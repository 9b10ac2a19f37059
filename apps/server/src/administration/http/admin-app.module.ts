import {
  BadRequestException,
  type DynamicModule,
  Module,
  type Provider,
  ValidationPipe,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AdminDocument } from './admin-document.js';
import { AdminErrorFilter } from './admin-error.filter.js';
import { AdminTokenGuard } from './admin-token.guard.js';
import { AdminTokensService } from './admin-tokens.service.js';
import { AppsController } from './apps.controller.js';
import { AuditController } from './audit.controller.js';
import { BudgetsController } from './budgets.controller.js';
import { ClientsController } from './clients.controller.js';
import { DescribedInputInterceptor } from './described-input.interceptor.js';
import { DocumentController } from './document.controller.js';
import { EventsController } from './events.controller.js';
import { InvitesController } from './invites.controller.js';
import { ReplicaController } from './replica.controller.js';
import { UsersController } from './users.controller.js';

const validation = new ValidationPipe({
  transform: true,
  stopAtFirstError: true,
  exceptionFactory: ([fault]) =>
    new BadRequestException(Object.values(fault?.constraints ?? {})[0] ?? 'not taken'),
});

/** The second application: its controllers, guard, filter and interceptors. */
@Module({
  controllers: [
    UsersController,
    ClientsController,
    AppsController,
    InvitesController,
    BudgetsController,
    AuditController,
    EventsController,
    ReplicaController,
    DocumentController,
  ],
  providers: [
    AdminDocument,
    AdminTokensService,
    { provide: APP_GUARD, useClass: AdminTokenGuard },
    { provide: APP_INTERCEPTOR, useClass: DescribedInputInterceptor },
    { provide: APP_PIPE, useValue: validation },
    { provide: APP_FILTER, useClass: AdminErrorFilter },
  ],
})
export class AdminAppModule {
  static with(running: Provider[]): DynamicModule {
    return { module: AdminAppModule, providers: running };
  }
}
