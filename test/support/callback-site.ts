import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate } from '#libs/platform/testing';

/** Receives a client's authorization responses and records their queries. */
export interface CallbackSite {
  readonly redirectUri: string;
  readonly arrived: URLSearchParams[];
  stop(): Promise<void>;
}

/** Serves `http://localhost`, `http://[::1]`, `https://localhost` and the like, on a free port. */
export async function startCallbackSite(origin: string): Promise<CallbackSite> {
  const { protocol, hostname } = new URL(origin);
  const arrived: URLSearchParams[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, origin);
    if (pathname === '/cb') arrived.push(searchParams);
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Arrived</title>You may close this.');
  };
  const server =
    protocol === 'https:' ? tlsServer(hostname, listener) : createPlainServer(listener);
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname.replaceAll(/[[\]]/g, '');
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { redirectUri: `${origin}:${port}/cb`, arrived, stop: () => stop(server) };
}

function tlsServer(hostname: string, listener: RequestListener) {
  const { certificate, privateKey } = selfSignedCertificate([hostname]);
  return createTlsServer({ cert: certificate, key: privateKey }, listener);
}

async function stop(server: Server) {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}
