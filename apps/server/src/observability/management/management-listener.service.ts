import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
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
import { AdminApiService } from '../../administration/http/admin-api.service.js';
import { limitServer } from '../../http/server-limits.js';
import { ReadinessService } from '../health/readiness.service.js';
import { json, serve, text } from './management-routes.js';
import { MANAGEMENT_OPTIONS, type ManagementOptions } from './management.module-definition.js';

/** The listener for those who run the service: it opens before the service listens and closes last. */
@Injectable()
export class ManagementListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Management');
  private readonly server: Server;

  constructor(
    @Inject(MANAGEMENT_OPTIONS) private readonly options: ManagementOptions,
    private readonly readiness: ReadinessService,
    private readonly registry: Registry,
    @Optional() adminApi?: AdminApiService,
  ) {
    const pages = {
      '/livez': () => text('alive\n'),
      '/readyz': (query: URLSearchParams) => this.readyz(query.getAll('exclude')),
      '/metrics': async () => text(await registry.metrics(), 200, this.registry.contentType),
    };
    const hosts = [options.host.toLowerCase(), ...options.allowedHosts];
    const failed = (error: unknown) => this.logger.error(error);
    const administration = adminApi && ((request: IncomingMessage) => adminApi.handle(request));
    this.server = createServer(serve({ pages, administration, hosts, failed }));
    limitServer(this.server);
  }

  /** The port that the system chose, when it was asked to. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async onApplicationBootstrap() {
    const { port, host } = this.options;
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.logger.log(`/livez, /readyz and /metrics are on ${host} port ${this.port}`);
  }

  async onApplicationShutdown() {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async readyz(excluded: readonly string[]) {
    const readiness = await this.readiness.read(excluded);
    return json(readiness, readiness.ready ? 200 : 503);
  }
}
