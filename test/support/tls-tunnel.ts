import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';

interface TunnelOptions {
  readonly host: string;
  readonly port: number;
  /** The certificate to trust, in PEM. */
  readonly ca: string;
  /** The local address that its connections appear to come from. */
  readonly localAddress?: string | undefined;
}

/** A port of 127.0.0.1 that forwards plain bytes over TLS, for clients without TLS. */
export interface TlsTunnel {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startTlsTunnel(options: TunnelOptions): Promise<TlsTunnel> {
  const open = new Set<Socket>();
  const server = createServer((plain) => {
    const secure = connect({ ...options, servername: 'localhost' });
    for (const [socket, other] of [
      [plain, secure],
      [secure, plain],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    plain.pipe(secure).pipe(plain);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, stop };
}
