import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { Registry } from 'prom-client';
import { AdminApiService } from '../../administration/http/admin-api.module.js';
import { limitServer } from '../../http/server-limits.js';
import { ReadinessService } from '../health/readiness.service.js';
import { StorageMetricsService } from '../metrics/storage-metrics.service.js';
import { json, serve, text } from './management-routes.js';
import { MANAGEMENT_OPTIONS, type ManagementOptions } from './management.module-definition.js';

/** The listener for operators: it opens before the service listens and closes last. */
@Injectable()
export class ManagementListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Management');
  private server: Server | undefined;

  constructor(
    @Inject(MANAGEMENT_OPTIONS) private readonly options: ManagementOptions,
    private readonly readiness: ReadinessService,
    private readonly registry: Registry,
    private readonly storages: StorageMetricsService,
    @Optional() private readonly adminApi?: AdminApiService,
  ) {}

  /** The port; with port 0 the one that the system chose. 0 before it listens. */
  get port(): number {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address?.port ?? 0;
  }

  async onApplicationBootstrap() {
    const { port, host, allowedHosts } = this.options;
    const pages = {
      '/livez': () => text('alive\n'),
      '/readyz': (query: URLSearchParams, tellsAll: boolean) =>
        this.readyz(query.getAll('exclude'), tellsAll),
      '/metrics': () => this.metrics(),
    };
    const hosts = [host.toLowerCase(), ...allowedHosts];
    const failed = (error: unknown) => this.logger.error(error);
    const administration = await this.adminApi?.open();
    this.server = createServer(serve({ pages, administration, hosts, failed }));
    limitServer(this.server);
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.logger.log(`/livez, /readyz and /metrics are on ${host} port ${this.port}`);
  }

  async onApplicationShutdown() {
    if (this.server?.listening) {
      this.server.close();
      this.server.closeAllConnections();
      await once(this.server, 'close');
    }
    await this.adminApi?.close();
  }

  private async metrics() {
    this.storages.readPool();
    return text(await this.registry.metrics(), 200, this.registry.contentType);
  }

  private async readyz(excluded: readonly string[], tellsAll: boolean) {
    const { dependencies, ...state } = await this.readiness.read(excluded);
    return json(tellsAll ? { ...state, dependencies } : state, state.ready ? 200 : 503);
  }
}
