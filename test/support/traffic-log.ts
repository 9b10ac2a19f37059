import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Forwards all bytes between a browser and the service, and records them. */
export interface TrafficLog {
  /** The origin under which browsers see the service. */
  readonly origin: string;
  /** All requests and all answers since the last call. */
  take(): { readonly requests: string; readonly answers: string };
  stop(): Promise<void>;
}

export async function startTrafficLog(servicePort: number): Promise<TrafficLog> {
  let [requests, answers] = ['', ''];
  const server = createServer((browser) => {
    const service = connect(servicePort, '127.0.0.1');
    browser.on('data', (chunk) => (requests += chunk.toString()));
    service.on('data', (chunk) => (answers += chunk.toString()));
    browser.on('error', () => service.destroy());
    service.on('error', () => browser.destroy());
    browser.pipe(service).pipe(browser);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = { requests, answers };
      [requests, answers] = ['', ''];
      return taken;
    },
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
