import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Gatehouse } from '../support/gatehouse.js';

export interface BearerProxy {
  /** `http://localhost:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Forwards requests with an access token, for programs without OAuth. In `Host` and `Origin` its own host is replaced
 * by the service's; any other value is forwarded unchanged.
 */
export async function startBearerProxy(
  gatehouse: Gatehouse,
  accessToken: string,
): Promise<BearerProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passedOn = {
      ...headers,
      ...(headers.host === own.host ? { host: new URL(gatehouse.origin).host } : {}),
      ...(headers.origin === own.origin ? { origin: gatehouse.origin } : {}),
      authorization: `Bearer ${accessToken}`,
    };
    const { port } = gatehouse;
    const target = { host: '127.0.0.1', port, method, path, headers: passedOn };
    const passing = send(target, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing, () => {});
    });
    passing.on('error', () => outgoing.destroy());
    outgoing.once('close', () => passing.destroy());
    incoming.pipe(passing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(`http://localhost:${(server.address() as AddressInfo).port}`);
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { origin: own.origin, close };
}
