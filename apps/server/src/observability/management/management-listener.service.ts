import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { defineModule } from '#libs/platform';
import { limitServer, oneByOne } from '../../http/server-limits.js';
import { ReadinessService } from '../health/readiness.service.js';
import { StorageMetricsService } from '../metrics/storage-metrics.service.js';
import { Registry } from '../prometheus.js';
import { isHostAllowed, MISDIRECTED } from './management-hosts.js';

interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose a port. */
  readonly port: number;
  /** Accepted `Host` names, in lower case, in addition to `host`, addresses and loopback names. */
  readonly allowedHosts: readonly string[];
}

const definition = defineModule<ManagementOptions>('Management');

/** `imports` provides the accounts module, whose events are counted. */
export const { ConfigurableModuleClass } = definition;

/** The administration API, which this listener serves where `imports` provides it. */
export abstract class AdministrationApi {
  /** The paths that it serves. */
  abstract readonly paths: RegExp;
  /** The request listener for these paths under these names. */
  abstract open(hosts: readonly string[]): Promise<RequestListener>;
  abstract close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): Answer => ({
  status,
  type,
  body,
});

const PATHS = new Set(['/livez', '/readyz', '/metrics']);

/** The listener for operators: it opens before the service listens and closes last. */
@Injectable()
export class ManagementListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Management');
  private readonly hosts: readonly string[];
  private server: Server | undefined;

  constructor(
    @Inject(definition.MODULE_OPTIONS_TOKEN) private readonly options: ManagementOptions,
    private readonly readiness: ReadinessService,
    private readonly registry: Registry,
    private readonly storages: StorageMetricsService,
    @Optional() private readonly adminApi?: AdministrationApi,
  ) {
    this.hosts = [options.host.toLowerCase(), ...options.allowedHosts];
  }

  /** The port; with port 0 the one that the system chose. 0 before it listens. */
  get port(): number {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address?.port ?? 0;
  }

  async onApplicationBootstrap() {
    const { port, host } = this.options;
    const administration = await this.adminApi?.open(this.hosts);
    const begin: RequestListener = (request, response) => {
      // Administration handles all of its paths, and refuses names other than `hosts` itself.
      if (administration && this.adminApi?.paths.test(request.url ?? '')) {
        administration(request, response);
      } else {
        void this.answer(request, response);
      }
    };
    this.server = createServer((request, response) =>
      oneByOne(request, response, () => begin(request, response)),
    );
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

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { status, type, body, headers } = await this.answerTo(request).catch((error: unknown) => {
      this.logger.error(error);
      return text('failed\n', 500);
    });
    response
      .writeHead(status, {
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      })
      .end(request.method === 'HEAD' ? undefined : body);
  }

  private async answerTo({ url = '', method, headersDistinct }: IncomingMessage): Promise<Answer> {
    const [path = '', query] = url.split('?');
    const names = headersDistinct['host'] ?? [];
    if (!isHostAllowed(path, names, this.hosts)) return text(`${MISDIRECTED}\n`, 421);
    if (!PATHS.has(path)) return text('not found\n', 404);
    if (method !== 'GET' && method !== 'HEAD') {
      return { ...text('use GET\n', 405), headers: { Allow: 'GET, HEAD' } };
    }
    if (path === '/livez') return text('alive\n');
    if (path === '/metrics') {
      this.storages.readPool();
      return text(await this.registry.metrics(), 200, this.registry.contentType);
    }
    const excluded = new URLSearchParams(query).getAll('exclude');
    const { dependencies, ...state } = await this.readiness.read(excluded);
    const told = isHostAllowed('/metrics', names, this.hosts) ? { ...state, dependencies } : state;
    const body = `${JSON.stringify(told)}\n`;
    return { status: state.ready ? 200 : 503, type: 'application/json', body };
  }
}
