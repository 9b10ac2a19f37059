import type { RequestListener } from 'node:http';
import { type INestApplication, Inject, Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Registry } from 'prom-client';
import { SecurityEventsService } from '#libs/accounts';
import { AdministrationApi } from '../../observability/management/management-listener.service.js';
import { ADMINISTRATION_SERVICES } from '../administration.module.js';
import { ReplicaService } from '../replica.service.js';
import {
  ADMIN_API_OPTIONS,
  type AdminApiOptions,
  ConfigurableModuleClass,
} from '../admin-api.module-definition.js';

const RUNNING = [...ADMINISTRATION_SERVICES, SecurityEventsService, ReplicaService, Registry];

/** Creates the administration API: a second Nest application on the services of the main one. */
@Injectable()
class AdminApiService extends AdministrationApi {
  private app: INestApplication | undefined;

  constructor(
    @Inject(ADMIN_API_OPTIONS) private readonly options: AdminApiOptions,
    private readonly modules: ModuleRef,
  ) {
    super();
  }

  /** The code of the application is loaded on the first call. */
  async open(hosts: readonly string[]): Promise<RequestListener> {
    const { createAdminApp } = await import('./admin-app.js');
    // The second application calls lifecycle hooks of the providers it is given: none of these has any.
    const running = RUNNING.map((provide) => ({
      provide,
      useValue: this.modules.get(provide, { strict: false }),
    }));
    const options = { provide: ADMIN_API_OPTIONS, useValue: this.options };
    this.app = await createAdminApp([options, ...running], hosts);
    return this.app.getHttpAdapter().getInstance();
  }

  async close(): Promise<void> {
    await this.app?.close();
  }
}

/** The administration API over HTTP, without a listener of its own. */
@Module({
  providers: [{ provide: AdministrationApi, useClass: AdminApiService }, ReplicaService],
  exports: [AdministrationApi],
})
export class AdminApiModule extends ConfigurableModuleClass {}
