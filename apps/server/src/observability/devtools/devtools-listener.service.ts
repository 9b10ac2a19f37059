import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SerializedGraph } from '@nestjs/core';
import { defineModule } from '#libs/platform';
import { limitServer } from '../../http/server-limits.js';
import { isLoopbackHost } from '../management/management-hosts.js';

interface DevtoolsOptions {
  /** 0 lets the system choose a port. */
  readonly port: number;
}

const definition = defineModule<DevtoolsOptions>('Devtools');
export const { ConfigurableModuleClass } = definition;

/** The only address: who can connect is on this machine. */
const DEVTOOLS_HOST = '127.0.0.1';

/** Where the front end of Nest Devtools asks for the graph, and the origin of its pages. */
const SNAPSHOT = '/inspector/graph/snapshot';
const FRONT_END = 'https://devtools.nestjs.com';

/** What a preflight is told: any header may be sent, and none is read. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Private-Network': 'true',
};

/** Serves the graph of the application, and nothing else, to programs and to the front end on this machine. */
@Injectable()
export class DevtoolsListenerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Devtools');
  private snapshot = '';
  private server: Server | undefined;

  constructor(
    @Inject(definition.MODULE_OPTIONS_TOKEN) private readonly options: DevtoolsOptions,
    private readonly graph: SerializedGraph,
  ) {}

  /** The port; with port 0 the one that the system chose. 0 before it listens. */
  get port(): number {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address?.port ?? 0;
  }

  async onApplicationBootstrap() {
    this.snapshot = this.graph.toString();
    this.server = createServer((request, response) => this.answer(request, response));
    limitServer(this.server);
    this.server.listen(this.options.port, DEVTOOLS_HOST);
    await once(this.server, 'listening');
    const url = `http://${DEVTOOLS_HOST}:${this.port}${SNAPSHOT}`;
    this.logger.log(`the graph of the application is at ${url}, for ${FRONT_END}`);
  }

  async onApplicationShutdown() {
    if (!this.server?.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private answer({ url, method = '', headersDistinct }: IncomingMessage, response: ServerResponse) {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Vary', 'Origin');
    const refuse = (status: number, text: string) =>
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
    if (!isLoopbackHost(headersDistinct['host'])) return refuse(421, 'use a name of this machine');
    const { origin: origins = [] } = headersDistinct;
    if (origins.some((origin) => origin !== FRONT_END)) {
      return refuse(403, `pages of ${FRONT_END} alone may read the graph`);
    }
    if (origins.length > 0) response.setHeader('Access-Control-Allow-Origin', FRONT_END);
    if (url !== SNAPSHOT) return refuse(404, `the graph is at ${SNAPSHOT}`);
    if (method === 'OPTIONS') return response.writeHead(204, PREFLIGHT).end();
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD, OPTIONS');
      return refuse(405, 'use GET');
    }
    return response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.snapshot);
  }
}
