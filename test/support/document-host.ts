import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { selfSignedCertificate } from './certificate.js';

const HOSTS = ['localhost', 'app.example', 'other.example', '127.0.0.1', '::1'];

/** A request as it came in. */
export interface SeenRequest {
  readonly path: string;
  readonly host: string | undefined;
  /** The name that the connection was opened for (SNI); false when there was none. */
  readonly servername: string | false | null;
  readonly headers: IncomingMessage['headers'];
}

/**
 * An https server on loopback that publishes client-identifier metadata documents. Whoever fetches
 * has to trust `certificate`, as `NODE_EXTRA_CA_CERTS` or `tls.setDefaultCACertificates` make it.
 */
export class DocumentHost {
  /** Every request, in the order of their coming. */
  readonly requests: SeenRequest[] = [];
  /** Connections, whether or not anything was said on them. */
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

  /** As `CIMD_PRIVATE_HOSTS` takes it. */
  get privateHost() {
    return `localhost:${this.port}`;
  }

  /** The address of a path; further names need a resolver that knows them. */
  url(path: string, hostname = 'localhost') {
    return `https://${hostname}:${this.port}${path}`;
  }

  /** Publishes a document, whose `client_id` is its URL unless the members say otherwise. */
  publish(path: string, members: object, headers: Record<string, string> = {}): string {
    const document = { client_id: this.url(path), ...members };
    this.answer(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(document));
    });
    return this.url(path);
  }

  /** Answers a path in a way of its own. */
  answer(path: string, handler: RequestListener): string {
    this.handlers.set(path, handler);
    return this.url(path);
  }

  /** How often a path was asked for. */
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

/** What a host proves its names with; several may share one. */
export const hostIdentity = () => selfSignedCertificate(HOSTS);

/** Starts one on a free port; `documents` are published, by their paths. */
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
