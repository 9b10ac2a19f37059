import { connect } from 'node:net';
import { ServerProcess } from '../support/built-server.js';
import { call } from '../support/http.js';
import { findFreePort } from '../support/services/program.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const SNAPSHOT = '/inspector/graph/snapshot';
const DEVTOOLS_ORIGIN = 'https://devtools.nestjs.com';

const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

describe('Nest Devtools', () => {
  let storage: TestStorage;
  let server: ServerProcess;
  let devtoolsPort: number;

  beforeEach(async () => {
    storage = await storageForTests();
    devtoolsPort = await findFreePort();
  });
  afterEach(async () => {
    await server.kill();
    await storage.dispose();
  });

  const start = (variables: Readonly<Record<string, string>>) => {
    server = new ServerProcess({ PORT: '0', ...storage.environment, ...variables });
  };

  /** Somebody else may take the port before the service does. */
  const startOnFreePort = async (variables = {}): Promise<unknown> => {
    start({ DEVTOOLS_PORT: String(devtoolsPort), ...variables });
    try {
      return await server.port();
    } catch (error) {
      if (!String(error).includes('EADDRINUSE')) throw error;
      devtoolsPort = await findFreePort();
      return startOnFreePort(variables);
    }
  };

  it('listen on the loopback address alone and show the graph by its names', async () => {
    await startOnFreePort();
    expect(await isOpen('127.0.0.1', devtoolsPort)).toBe(true);
    expect(await isOpen('127.0.0.2', devtoolsPort)).toBe(false);
    const headers = { origin: DEVTOOLS_ORIGIN };
    const snapshot = await call(devtoolsPort, { method: 'GET', path: SNAPSHOT, headers });
    const { nodes } = snapshot.json<{ nodes: Record<string, { label: string }> }>();
    const labels = Object.values(nodes).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['AppModule', 'AccountsModule', 'UsersService']));
  });

  it('start together with traces', async () => {
    await startOnFreePort({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(await isOpen('127.0.0.1', devtoolsPort)).toBe(true);
  });
});
