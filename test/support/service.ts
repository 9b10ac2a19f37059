import type { AddressInfo } from 'node:net';
import { readConfig } from '../../apps/server/src/config/config.js';
import { createApp } from '../../apps/server/src/create-app.js';
import { ManagementListenerService } from '../../apps/server/src/observability/management/management-listener.service.js';
import type { Extension } from '../../apps/server/src/app.module-definition.js';
import { sqliteForTests } from './services/storage-for-tests.js';

/** A running service. */
export interface Service {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly port: number;
  /** `http://localhost:<port>`, the origin that tests and browsers use. */
  readonly origin: string;
  /** `http://localhost:<port>` of the management listener; undefined without `MANAGEMENT_PORT`. */
  readonly managementOrigin: string | undefined;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** The variables of docs/reference/configuration.md; none is read from the process. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly extensions?: readonly Extension[];
}

const FOR_TESTS = { PORT: '0', LOG_LEVEL: 'fatal', RATE_LIMIT_MAX: '1000000' };

/**
 * The service in this process, on a free port. Without a `DATABASE_URL` it gets a new SQLite file, which is removed
 * when it stops. Rejects when it does not start.
 */
export async function startService({
  variables = {},
  extensions = [],
}: ServiceOptions = {}): Promise<Service> {
  const storage = await storageOf(variables);
  const config = readConfig({ ...FOR_TESTS, DATABASE_URL: storage.url, ...variables });
  const app = await withOpenTelemetry(variables, () => createApp(config, extensions));
  const stop = async () => {
    await app.close();
    await storage.dispose();
  };
  try {
    const server = await app.listen(config.listen.port, config.listen.host);
    const { port } = server.address() as AddressInfo;
    const managementOrigin =
      variables['MANAGEMENT_PORT'] === undefined
        ? undefined
        : `http://localhost:${app.get(ManagementListenerService, { strict: false }).port}`;
    return { app, port, origin: `http://localhost:${port}`, managementOrigin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const storageOf = async ({ DATABASE_URL: url }: NonNullable<ServiceOptions['variables']>) =>
  url === undefined ? sqliteForTests() : { url, dispose: async () => {} };

/** The OpenTelemetry SDK reads its variables from the process when it starts. */
async function withOpenTelemetry<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(variables).filter((name) => name.startsWith('OTEL_'));
  for (const name of names) process.env[name] = variables[name];
  try {
    return await work();
  } finally {
    for (const name of names) delete process.env[name];
  }
}
