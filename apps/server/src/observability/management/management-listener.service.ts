import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { Registry } from 'prom-client';
import { defineModule } from '#libs/platform';
import { AdminApiService } from '../../administration/http/admin-api.module.js';
import { limitServer } from '../../http/server-limits.js';
import { ReadinessService } from '../health/readiness.service.js';
import { StorageMetricsService } from '../metrics/storage-metrics.service.js';
import { isHostAllowed, MISDIRECTED } from './management-hosts.js';

interface ManagementOptions {
  readonly host: string;
  /** 0 lets the system choose a port. */
  readonly port: number;
  /** Accepted `Host` names, in lower case, in addition to `host`, addresses and loopback names. */
  readonly allowedHosts: readonly string[];
}

/** `imports` provides the accounts module, whose events are counted. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MANAGEMENT_OPTIONS } =
  defineModule<ManagementOptions>('Management');

export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string;
}

/** `tellsAll` is false under a `Host` for which `/metrics` is refused. */
type MakePage = (query: URLSearchParams, tellsAll: boolean) => Page | Promise<Page>;

/** The page of each path, created for every request from its query. */
export type Pages = Readonly<Record<string, MakePage>>;

export const text = (body: string, status = 200, type = 'text/plain; charset=utf-8'): Page => ({
  status,
  type,
  body,
});

export const json = (value: unknown, status = 200): Page => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

const ADMINISTRATION = /^\/admin(?:\/|$)/;

interface Site {
  readonly pages: Pages;
  /** Handles all paths below `/admin`, and refuses names other than `hosts` itself. */
  readonly administration?: RequestListener | undefined;
  /** Accepted names, in lower case, in addition to addresses and loopback names. */
  readonly hosts: readonly string[];
  /** Called when a page could not be created. */
  readonly failed: (error: unknown) => void;
}

/** Answers GET and HEAD of exactly these paths, and passes paths below `/admin` to administration. */
export function serve({ failed, administration, ...site }: Site): RequestListener {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const named = request.headersDistinct['host'] ?? [];
    if (administration && ADMINISTRATION.test(path)) return administration(request, response);
    if (!isHostAllowed(path, named, site.hosts)) {
      return answer(request, response, text(`${MISDIRECTED}\n`, 421));
    }
    const tellsAll = isHostAllowed('/metrics', named, site.hosts);
    const page = pageFor(site.pages, request, tellsAll);
    page.then(
      (found) => answer(request, response, found),
      (error: unknown) => {
        failed(error);
        answer(request, response, text('failed\n', 500));
      },
    );
  };
}

async function pageFor(
  pages: Pages,
  { url = '', method }: IncomingMessage,
  tellsAll: boolean,
): Promise<Page> {
  const [path = '', query] = url.split('?');
  const make = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!make) return text('not found\n', 404);
  if (method !== 'GET' && method !== 'HEAD')
    return { ...text('use GET\n', 405), headers: { Allow: 'GET, HEAD' } };
  return make(new URLSearchParams(query), tellsAll);
}

function answer({ method }: IncomingMessage, response: ServerResponse, page: Page) {
  const { status, type, body, headers = {} } = page;
  response
    .writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    .end(method === 'HEAD' ? undefined : body);
}

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
    const administration = await this.adminApi?.open(hosts);
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
