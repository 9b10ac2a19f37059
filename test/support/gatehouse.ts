import type { AddressInfo } from 'node:net';
import { readConfig } from '../../apps/server/src/config/config.js';
import { createApp } from '../../apps/server/src/create-app.js';
import { storageForTests, type TestStorage } from './services/storage-for-tests.js';

export interface Gatehouse {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly port: number;
  /** `http://localhost:<port>`, the origin that tests and browsers use. */
  readonly origin: string;
  readonly storage: TestStorage;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/** The service itself on a free port, with storage of its own unless it shares a replica's. */
export async function startGatehouse(variables: Variables = {}, replicaOf?: Gatehouse) {
  const storage = replicaOf?.storage ?? (await storageForTests());
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_MAX: '1000000',
    ...storage.environment,
    ...variables,
  });
  const app = await createApp(config);
  const server = await app.listen(config.listen.port, config.listen.host);
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    await app.close();
    if (!replicaOf) await storage.dispose();
  };
  return { app, port, origin: `http://localhost:${port}`, storage, stop } satisfies Gatehouse;
}
