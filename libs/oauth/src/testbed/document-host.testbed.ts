import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { selfSignedCertificate } from '#libs/platform/testing';

const HOSTS = ['localhost', 'app.example', 'other.example', '127.0.0.1', '::1'];

/** A request as it arrived. */
export interface SeenRequest {
  readonly path: string;
  readonly host: string | undefined;
  /** The server name of the connection (SNI); false when there was none. */
  readonly servername: string | false | null;
  readonly headers: IncomingMessage['headers'];
}

/**
 * An https server on loopback that publishes client-identifier metadata documents. Its clients have to trust
 * `certificate`, through `NODE_EXTRA_CA_CERTS` or `tls.setDefaultCACertificates`.
 */
export class DocumentHost {
  /** Every request, in the order of arrival. */
  readonly requests: SeenRequest[] = [];
  /** The number of connections, including those without a request. */
  connections = 0;
  private readonly handlers = new Map<string, RequestListener>();

  constructor(
    private readonly server: Server,
    /** PEM. */
    readonly certificate: string,
  ) {
    server.on('connection', () => {
      this.connections += 1;
    });
    server.on('request', (request, response) => this.handle(request, response));
  }

  get port() {
    return (this.server.address() as AddressInfo).port;
  }

  /** The host as `CIMD_PRIVATE_HOSTS` expects it. */
  get privateHost() {
    return `localhost:${this.port}`;
  }

  /** The URL of a path; other host names need a resolver that knows them. */
  url(path: string, hostname = 'localhost') {
    return `https://${hostname}:${this.port}${path}`;
  }

  /** Publishes a document; its `client_id` is its URL unless the members override it. */
  publish(path: string, members: object, headers: Record<string, string> = {}): string {
    const document = { client_id: this.url(path), ...members };
    this.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(document));
    });
    return this.url(path);
  }

  /** Answers a path with a handler. */
  answer(path: string, handler: RequestListener): string {
    this.handlers.set(path, handler);
    return this.url(path);
  }

  /** How many requests a path received. */
  countOf(path: string) {
    return this.requests.filter((request) => request.path === path).length;
  }

  async close() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private handle(request: IncomingMessage, response: ServerResponse) {
    const { url: path = '', headers } = request;
    const { servername } = request.socket as TLSSocket & Pick<SeenRequest, 'servername'>;
    this.requests.push({ path, host: headers.host, servername, headers });
    const handler = this.handlers.get(path);
    if (handler) handler(request, response);
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }
}

/** Certificate and key for the names of a host; several hosts may share one. */
export const hostIdentity = () => selfSignedCertificate(HOSTS);

/** Starts a host on a free port; `documents` are published, by path. */
export async function startDocumentHost(
  documents: Readonly<Record<string, object>> = {},
  address = '127.0.0.1',
  { certificate, privateKey } = hostIdentity(),
): Promise<DocumentHost> {
  const server = createServer({ cert: certificate, key: privateKey });
  server.listen(0, address);
  await once(server, 'listening');
  const host = new DocumentHost(server, certificate);
  for (const [path, members] of Object.entries(documents)) host.publish(path, members);
  return host;
}
