import type { RequestListener } from 'node:http';
import { Inject, type INestApplication, Injectable, Module, Optional } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { RequestHandler } from 'express';
import { AdministrationApi } from '../../observability/management/management-listener.service.js';
import { ReplicaService } from '../replica.service.js';
import { Registry } from '../../observability/prometheus.js';
import { ConfigurableModuleClass } from '../admin-api.module-definition.js';
import { AdminTokensService } from './admin-tokens.service.js';

/** Pages beside the API, which are served where `imports` provides them. */
export abstract class AdministrationPages {
  /** What their paths begin with. */
  abstract readonly path: string;
  /** `record` logs and counts a request, as it does for those of the API. */
  abstract open(hosts: readonly string[], record: RequestHandler): Promise<INestApplication>;
}

const pathsBelow = (...paths: readonly string[]) => new RegExp(`^(?:${paths.join('|')})(?:[/?]|$)`);

@Injectable()
class AdminApiService extends AdministrationApi {
  readonly paths: RegExp;
  private apps: readonly INestApplication[] = [];

  constructor(
    private readonly modules: ModuleRef,
    @Optional()
    @Inject(AdministrationPages)
    private readonly pages: AdministrationPages | undefined,
  ) {
    super();
    this.paths = pathsBelow('/admin', ...(pages ? [pages.path] : []));
  }

  /** The code of the applications is loaded on the first call. */
  async open(hosts: readonly string[]): Promise<RequestListener> {
    const { createAdminApp, recordAdminRequests } = await import('./admin-app.js');
    const record = recordAdminRequests(this.modules.get(Registry, { strict: false }));
    const api = await createAdminApp(this.modules, hosts, record);
    this.apps = [api];
    const answer: RequestListener = api.getHttpAdapter().getInstance();
    if (!this.pages) return answer;
    const { path } = this.pages;
    const pages = await this.pages.open(hosts, record);
    this.apps = [api, pages];
    const show: RequestListener = pages.getHttpAdapter().getInstance();
    return (request, response) =>
      (request.url?.startsWith(path) ? show : answer)(request, response);
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close();
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
