import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '#libs/platform/testing';

/** The settings that a proxy may get wrong. */
export interface FrontSettings {
  /** The port of the service; 502 without one. */
  servicePort?: number;
  /** Headers to set in a request to the service; undefined removes one. */
  toService: Record<string, string | undefined>;
  toVisitor: Record<string, string>;
  /** Headers, in lower case, that it takes out of answers. */
  removed: readonly string[];
}

/** A proxy that terminates TLS at `https://localhost:<port>` and forwards requests according to its settings. */
export async function startTlsFront({ certificate, privateKey }: Certificate) {
  const settings: FrontSettings = { toService: {}, toVisitor: {}, removed: [] };
  const server = createServer({ cert: certificate, key: privateKey }, (incoming, outgoing) =>
    handOn(settings, incoming, outgoing),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { origin: `https://localhost:${port}`, host: `localhost:${port}`, settings, stop };
}

export type TlsFront = Awaited<ReturnType<typeof startTlsFront>>;

function handOn(
  { servicePort, toService, toVisitor, removed }: FrontSettings,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  if (servicePort === undefined) return void outgoing.writeHead(502).end();
  const all = Object.entries({ ...incoming.headers, ...toService });
  const headers = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const { method, url: path } = incoming;
  const onward = request({ host: '127.0.0.1', port: servicePort, method, path, headers });
  onward.on('response', (answer) => {
    for (const name of removed) delete answer.headers[name];
    outgoing.writeHead(answer.statusCode ?? 0, { ...answer.headers, ...toVisitor });
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
