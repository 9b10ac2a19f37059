import type { RequestListener } from 'node:http';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AdministrationApi } from '../../observability/management/management-listener.service.js';
import { ReplicaService } from '../replica.service.js';
import { ConfigurableModuleClass } from '../admin-api.module-definition.js';
import { AdminTokensService } from './admin-tokens.service.js';

@Injectable()
class AdminApiService extends AdministrationApi {
  private app: INestApplication | undefined;

  constructor(private readonly modules: ModuleRef) {
    super();
  }

  /** The code of the application is loaded on the first call. */
  async open(hosts: readonly string[]): Promise<RequestListener> {
    const { createAdminApp } = await import('./admin-app.js');
    this.app = await createAdminApp(this.modules, hosts);
    return this.app.getHttpAdapter().getInstance();
  }

  async close(): Promise<void> {
    await this.app?.close();
  }
}

@Module({
  providers: [
    { provide: AdministrationApi, useClass: AdminApiService },
    AdminTokensService,
    ReplicaService,
  ],
  exports: [AdministrationApi],
})
export class AdminApiModule extends ConfigurableModuleClass {}
