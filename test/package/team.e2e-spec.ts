import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { OAuthClient } from '../support/oauth-client.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOT_CLONED = /^(node_modules|dist|data|coverage|\.git)$/;
/** What nobody but the checkout has any use for. */
const NEVER_PACKED =
  /\.spec\.|\.map$|(?<!\.d)\.ts$|^package\/(apps|libs|bench|docs|examples|bin|test\/(?!support\/load-nest))/;

const run = promisify(execFile);

/** Scripts run on the Node of this test. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

const npm = async (cwd: string, ...args: string[]) =>
  (await run('npm', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;

describe('the package, in a repository of a team’s own', () => {
  let folder: string;
  let team: string;
  let packed: readonly string[];

  const script = (...args: string[]) => [join(team, 'node_modules/.bin/gatehouse'), ...args];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    const checkout = join(folder, 'checkout');
    team = join(folder, 'team');
    await cp(ROOT, checkout, {
      recursive: true,
      filter: (path) => !NOT_CLONED.test(path.slice(ROOT.length)),
    });
    await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    await cp(join(ROOT, 'examples/team'), team, {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    });
    const [tarball = ''] = (await npm(checkout, 'pack', '--silent')).trim().split('\n').slice(-1);
    await cp(join(checkout, tarball), join(team, 'gatehouse.tgz'));
    packed = (await run('tar', ['tzf', join(checkout, tarball)])).stdout.trim().split('\n');
    await npm(team, 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
    const addOn = 'node_modules/sqlite3/build/Release';
    await cp(join(ROOT, addOn), join(team, addOn), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has compiled code and declarations, no sources and no tests', () => {
    expect(packed.length).toBeGreaterThan(1_000);
    expect(packed.filter((path) => NEVER_PACKED.test(path))).toEqual([]);
    expect(packed).toContain('package/dist/apps/server/src/index.d.ts');
    expect(packed).toContain('package/CHANGELOG.md');
    expect(packed).toContain('package/dist/libs/ui-templates/bundle/client.d.ts');
  });

  it('passes the team’s types and tests, with one Nest', async () => {
    await npm(team, 'run', 'typecheck');
    await npm(team, 'test');
    const { stdout } = await run('find', ['node_modules', '-path', '*/@nestjs/core/package.json'], {
      cwd: team,
    });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('migrates, and serves with what the team adds', async () => {
    await npm(team, 'run', 'build');
    const extension = ['--extension', join(team, 'dist/acme.extension.js')];
    const database = { DATABASE_URL: `sqlite:${join(folder, 'team.sqlite')}` };
    const migrating = new ServerProcess(database, script('migrate', ...extension));
    expect(await migrating.exitCode()).toBe(0);
    expect(migrating.stdout).toContain('Acme0001Migration1795305600001');

    const variables = { ...database, PORT: '0', MIGRATE: 'off' };
    const server = new ServerProcess(variables, script('start', ...extension));
    const port = await server.port();
    const browser = new Browser({ port, origin: `http://localhost:${port}` });
    expect((await browser.signUp()).status).toBe(200);
    const client = await OAuthClient.register({ port, origin: `http://localhost:${port}` });
    expect((await browser.get(client.authorizePath())).text).toContain('greet you, for 5 credits');
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
  });
});
