import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { sqliteForTests } from '../support/services/storage-for-tests.js';

interface Line {
  readonly level: string;
  readonly message: string;
}

/** The lines of the log; throws for a line that is not JSON. */
const linesOf = ({ stdout }: ServerProcess) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const warnings = (server: ServerProcess) =>
  linesOf(server).flatMap(({ level, message }) => (level === 'warn' ? message : []));

const embedded = globalThis.STORAGE === 'embedded';

(embedded ? describe : describe.skip)('the first minutes (embedded storage only)', () => {
  let database: Awaited<ReturnType<typeof sqliteForTests>>;
  const running: ServerProcess[] = [];

  const start = async (variables: Record<string, string> = {}) => {
    const server = new ServerProcess({ PORT: '0', DATABASE_URL: database.url, ...variables });
    running.push(server);
    const port = await server.port();
    return { server, port, origin: `http://localhost:${port}` };
  };

  beforeEach(async () => {
    database = await sqliteForTests();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
    await database.dispose();
  });

  it('begin with where it listens, an address that answers, and what to try', async () => {
    const { server, port, origin } = await start();
    const visitor = new Browser({ port, origin });
    expect((await visitor.send('POST', '/svc/mcp')).status).toBe(401);
    expect((await visitor.get('/svc/account')).status).toBe(200);
    expect(
      linesOf(server)
        .slice(0, 4)
        .map(({ message }) => message),
    ).toEqual([
      `Gatehouse listens on 127.0.0.1 port ${port}`,
      `account page: ${origin}/svc/account`,
      `MCP address: ${origin}/svc/mcp`,
      'browsers run passkeys on localhost, never on 127.0.0.1',
    ]);
    expect(server.stderr).toBe('');
  });

  it('begin with the public origins, and with what will not work or is for development', async () => {
    const { server, port } = await start({
      PUBLIC_ORIGINS: 'https://gate.example,https://gate.example:8443',
      CIMD_PRIVATE_HOSTS: 'localhost:8443',
    });
    const lines = await eventually(() => {
      expect(server.stdout).toContain('CIMD_PRIVATE_HOSTS');
      return linesOf(server);
    });
    expect(lines.map(({ message }) => message)).toEqual([
      `Gatehouse listens on 127.0.0.1 port ${port}`,
      'account page: https://gate.example/svc/account, https://gate.example:8443/svc/account',
      'MCP address: https://gate.example/svc/mcp, https://gate.example:8443/svc/mcp',
      expect.stringMatching(/^TRUSTED_PROXIES is unset: /),
      expect.stringMatching(/^CIMD_PRIVATE_HOSTS is set: /),
    ]);
  });

  it('of two processes on one SQLite file: the second says so in one line, and both serve', async () => {
    const first = await start();
    const second = await start();
    const told = `another Gatehouse runs on ${database.path}: `;
    expect(warnings(second.server)).toEqual([expect.stringContaining(told)]);
    expect(warnings(first.server)).toEqual([]);
    const both = await Promise.all(
      [first, second, first, second, first, second].map(async (gatehouse) => {
        const browser = new Browser(gatehouse);
        const { status } = await browser.signUp();
        const { user } = await browser.me();
        return [status, user?.displayName];
      }),
    );
    expect(both).toEqual(both.map(() => [200, 'Ann']));

    await Promise.all([first, second].map(({ server }) => server.kill()));
    expect(warnings((await start()).server)).toEqual([]);
  });

  it('of two processes that are to share a Redis: neither has a word to say about the file', async () => {
    const REDIS_URL = 'redis://127.0.0.1:1';
    const both = await Promise.all([start({ REDIS_URL }), start({ REDIS_URL })]);
    const told = both.flatMap(({ server }) => warnings(server));
    expect(told.filter((line) => line.includes('another Gatehouse'))).toEqual([]);
  });
});
