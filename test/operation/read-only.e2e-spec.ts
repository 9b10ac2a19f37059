import { builtFile } from '../support/built-file.js';
import { ServerProcess } from '../support/built-server.js';
import { ConnectedApp } from '../mcp/connected-app.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

/** Node itself refuses all writes to files. */
const MAY_NOT_WRITE = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'];

describe('a replica on Postgres and Redis', () => {
  let storage: TestStorage;
  let server: ServerProcess;

  beforeAll(async () => {
    storage = await storageForTests();
    const script = [...MAY_NOT_WRITE, builtFile('main.js'), 'start'];
    server = new ServerProcess({ ...storage.environment, PORT: '0' }, script);
  });
  afterAll(async () => {
    await server.kill();
    await storage.dispose();
  });

  it('writes no file while it starts, serves, runs code and ends', async () => {
    const port = await server.port();
    const app = await ConnectedApp.connect({ port, origin: `http://localhost:${port}` });
    expect(await app.have('run_code', { code: 'return 6 * 7' })).toMatchObject({ value: 42 });
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
    expect(server.stdout).not.toContain('"level":"error"');
    expect(server.stdout).not.toContain('ERR_ACCESS_DENIED');
  });
});
