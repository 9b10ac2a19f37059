import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGatehouseProcess } from '../support/admin-process.js';
import { builtFile } from '../support/built-file.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually, findFreePort } from '#libs/platform/testing';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('a start that cannot be', () => {
  let folder: string;
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
    await rm(folder, { recursive: true });
  });

  const launch = (variables: Readonly<Record<string, string>>, script?: readonly string[]) => {
    const DATABASE_URL = `sqlite:${join(folder, `${running.length}.sqlite`)}`;
    const server = new ServerProcess({ PORT: '0', DATABASE_URL, ...variables }, script);
    running.push(server);
    return server;
  };
  /** Waits until it ends; stdout must not mention the failure. */
  const failure = async (variables: Readonly<Record<string, string>>) => {
    const server = launch(variables);
    expect([await server.exitCode(), server.stdout]).toEqual([1, '']);
    return server.stderr;
  };

  /** The line about a database that cannot be used. */
  const refusal = (where: string, reason: string) =>
    new RegExp(`^DATABASE_URL: ${where} cannot be used: ${reason}[^\n]*; [^\n]+\n$`);

  it.each([
    ['is a folder', (path: string) => mkdir(path), 'SQLITE_CANTOPEN'],
    [
      'is not of SQLite',
      (path: string) => writeFile(path, 'no database '.repeat(100)),
      'SQLITE_NOTADB',
    ],
  ])('for a file that %s says so in one line', async (_what, make, reason) => {
    const path = join(folder, 'taken.sqlite');
    await make(path);
    const stderr = await failure({ DATABASE_URL: `sqlite:${path}` });
    expect(stderr).toMatch(refusal(path, reason));
  });

  it('for a file below a file says so in one line, as gatehouse migrate too', async () => {
    const path = join(folder, 'file', 'gatehouse.sqlite');
    await writeFile(join(folder, 'file'), '');
    const DATABASE_URL = `sqlite:${path}`;
    const told = expect.stringMatching(refusal(path, 'EEXIST: '));
    expect(await failure({ DATABASE_URL })).toEqual(told);
    expect(await runGatehouseProcess({ DATABASE_URL }, 'migrate')).toEqual({
      code: 1,
      stdout: '',
      stderr: told,
    });
  });

  it.each(['on', 'off'])(
    'for a Postgres that is not there says so in one line, MIGRATE=%s',
    async (MIGRATE) => {
      const at = `127.0.0.1:${await findFreePort()}`;
      const DATABASE_URL = `postgres://gatehouse:s3cret@${at}/gatehouse`;
      const stderr = await failure({ DATABASE_URL, MIGRATE });
      expect(stderr).toMatch(refusal(`PostgreSQL at ${at}`, 'connect ECONNREFUSED'));
      expect(stderr).not.toContain('s3cret');
    },
  );

  it('for a port that is taken, or a host that is not known, names the variables for it', async () => {
    const port = String(await launch({}).port());
    const told = (what: string) =>
      new RegExp(`^${what}[^\n]*: set PORT, MANAGEMENT_PORT [^\n]+\n$`);
    expect(await failure({ PORT: port })).toMatch(told('listen EADDRINUSE: .+'));
    expect(await failure({ HOST: 'gatehouse.invalid' })).toMatch(
      told('getaddrinfo \\w+ gatehouse'),
    );
    const second = launch({ MANAGEMENT_PORT: port });
    expect(await second.exitCode()).toBe(1);
    expect(second.stderr).toMatch(told('listen EADDRINUSE: .+'));
  });

  it('for a bad value names the variables that may be misspelt as well; a good one warns of them, and of files that others may read', async () => {
    const told = 'PUBLIC_ORIGIN is not read: did you mean PUBLIC_ORIGINS?';
    const file = join(folder, 'secret');
    await writeFile(file, `whsec_${'A'.repeat(32)}`, { mode: 0o644 });
    const PUBLIC_ORIGIN = 'https://gate.example';
    expect(await failure({ PUBLIC_ORIGIN, RATE_LIMIT_MAX: 'x' })).toMatch(
      new RegExp(`^RATE_LIMIT_MAX takes [^\n]+\n${told.replace('?', '[?]')}\n$`),
    );
    const events = {
      EVENTS_WEBHOOK_URL: 'http://127.0.0.1:9',
      EVENTS_WEBHOOK_SECRET_FILE: file,
    };
    const server = launch({ PUBLIC_ORIGIN, ...events });
    await server.port();
    const exposed =
      'EVENTS_WEBHOOK_SECRET_FILE names a file that others may read or change (mode 644)';
    for (const line of [told, exposed]) {
      await eventually(() => expect(server.stdout).toContain(`"message":"${line}"`));
    }
  });

  it.each([
    [
      'whose constructor throws an error',
      "constructor() { throw new Error('no price list'); }",
      /Prices cannot be constructed: Error: no price list \(\S+acme\.mjs:\d\)$/,
    ],
    [
      'whose constructor calls what throws an error',
      'constructor() { readPrices(); }',
      /Prices cannot be constructed: TypeError: no prices \(\S+acme\.mjs:\d\)$/,
    ],
    [
      'whose constructor throws an error with a code',
      "constructor() { readFileSync('/nowhere/prices'); }",
      /Prices cannot be constructed: ENOENT: no such file or directory, open '\/nowhere\/prices' \(ENOENT\)$/,
    ],
    [
      'whose hook throws an error',
      'onModuleInit() { readPrices(); }',
      /Prices\.onModuleInit failed: TypeError: no prices \(\S+acme\.mjs:\d\)$/,
    ],
    [
      'whose hook waits for what rejects',
      "async onApplicationBootstrap() { await readFile('/nowhere/prices'); }",
      /Prices\.onApplicationBootstrap failed: ENOENT: no such file or directory, open '\/nowhere\/prices' \(ENOENT\)$/,
    ],
  ])('for a class %s names the class', async (_what, member, line) => {
    const file = join(folder, 'acme.mjs');
    await writeFile(
      file,
      `import { readFileSync } from 'node:fs';
      import { readFile } from 'node:fs/promises';
      const readPrices = () => { throw new TypeError('no prices'); };
      class Prices { ${member} }
      class AcmeModule {}
      const modules = () => [{ module: AcmeModule, providers: [Prices] }];
      export const extension = { gatehouse: 1, modules };`,
    );
    const script = [builtFile('main.js'), 'start', '--extension', file];
    const server = launch({ LOG_LEVEL: 'error' }, script);
    expect(await server.exitCode()).toBe(1);
    const [said = '', rest] = server.stderr.split('\n');
    expect([said.startsWith('Gatehouse could not start: Prices'), rest]).toEqual([true, '']);
    expect(said).toMatch(line);
  });

  it.each(['v24.0.0', 'v20.20.0', 'v18.0.0'])(
    'for a checkout without its packages asks for npm ci, on Node %s',
    async (version) => {
      await cp(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
      await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
      const pretend = `Object.defineProperty(process, 'version', { value: '${version}' })`;
      const script = [
        '--import',
        `data:text/javascript,${pretend}`,
        join(folder, 'bin/gatehouse.mjs'),
      ];
      const server = launch({}, [...script, 'start']);
      expect([await server.exitCode(), server.stdout, server.stderr]).toEqual([
        1,
        '',
        'The packages of Gatehouse are not installed: run npm ci first\n',
      ]);
    },
  );
});

describe('gatehouse', () => {
  it('tells which commands there are when it does not know one', async () => {
    const { code, stdout, stderr } = await runGatehouseProcess({}, 'nonsense');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      "error: unknown command 'nonsense'; the commands are start, migrate, doctor, graph, texts, admin\n",
    );
  });

  it('migrates with ADMIN_TOKEN set and no listener for it, as a job that has the variables of the replicas', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrate-'));
    const variables = {
      DATABASE_URL: `sqlite:${join(folder, 'gatehouse.sqlite')}`,
      ADMIN_TOKEN: 'a'.repeat(32),
    };
    expect(await runGatehouseProcess(variables, 'migrate')).toMatchObject({ code: 0, stderr: '' });
    await rm(folder, { recursive: true });
  });
});
