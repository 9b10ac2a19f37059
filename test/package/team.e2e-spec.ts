import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { OAuthClient } from '../support/oauth-client.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOT_CLONED = /^(node_modules|dist|data|coverage|\.git)$/;
/**
 * Files that are only useful in the checkout, or must never leave it. The example team is included with its sources.
 */
const NEVER_PACKED =
  /^package\/(?!examples\/team\/).*(?:\.spec\.|\.map$|(?<!\.d)\.ts$)|^package\/(?:apps|libs|bench|bin|test\/(?!support\/load-nest))|node_modules|\.pem$|\.tgz$/;

const run = promisify(execFile);

/** Scripts run on the Node version of this test. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

/** sqlite3's add-on comes from the checkout. */
const WITHOUT_SCRIPTS = {
  npm_config_ignore_scripts: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
};

describe('the package, in a repository of a team’s own', () => {
  let folder: string;
  let team: string;
  let packed: readonly string[];
  /** The commands of README.md, for a person and for a pipeline. */
  let begin: readonly string[];
  let pipeline: readonly string[];
  let upgrade: readonly string[];

  const shell = (line = 'false', variables = {}) =>
    run('sh', ['-c', line], {
      cwd: team,
      env: { ...env, ...variables },
      maxBuffer: 64 * 1024 * 1024,
    });
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
    const readme = await readFile(join(team, 'README.md'), 'utf8');
    [begin = [], pipeline = [], upgrade = []] = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(
      ([, block]) =>
        String(block).replaceAll('<checkout of Gatehouse>', checkout).trim().split('\n'),
    );
    for (const line of begin.slice(0, 2)) await shell(line);
    packed = (await run('tar', ['tzf', join(team, 'gatehouse.tgz')])).stdout.trim().split('\n');
    await shell(begin[2], WITHOUT_SCRIPTS);
    const addOn = 'node_modules/sqlite3/build/Release';
    await cp(join(ROOT, addOn), join(team, addOn), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has compiled code, declarations, documents and examples, no sources and no tests of its own', () => {
    expect(packed.length).toBeGreaterThan(1_000);
    expect(packed.filter((path) => NEVER_PACKED.test(path))).toEqual([]);
    expect(packed).toContain('package/dist/apps/server/src/index.d.ts');
    for (const path of ['CHANGELOG.md', 'docs/README.md', 'examples/team/src/acme.extension.ts']) {
      expect(packed).toContain(`package/${path}`);
    }
    expect(packed).toContain('package/ops/prometheus/gatehouse.rules.yml');
    expect(packed).toContain('package/dist/libs/ui-templates/bundle/client.d.ts');
  });

  it('declares nothing that begins a session past ExternalSignIn, or finds one past its cookie', async () => {
    const path = 'node_modules/gatehouse/dist/libs/accounts/src/session/session.service.d.ts';
    const declared = await readFile(join(team, path), 'utf8');
    const [, members = ''] = /class BrowserSessionsService \{([^]+?)^\}/m.exec(declared) ?? [];
    const methods = [...members.matchAll(/^ {4}(\w+)\(/gm)].map(([, name]) => name);
    expect(methods).toEqual(['constructor', 'find', 'get', 'give', 'end', 'clear']);
  });

  it('passes the team’s pipeline, with one Nest', async () => {
    const [install, ...others] = pipeline;
    await shell(`${install} --dry-run`, WITHOUT_SCRIPTS);
    for (const line of others) await shell(line);
    expect(others).toEqual(['npm run typecheck', 'npm test', 'npm run build']);
    expect(begin.slice(3)).toEqual([
      'npm test',
      'npm run build && npm start # http://localhost:3000',
    ]);
    const { stdout } = await run('find', ['node_modules', '-path', '*/@nestjs/core/package.json'], {
      cwd: team,
    });
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  it('has what the team’s image is made of, and is its command', async () => {
    const dockerfile = await readFile(join(team, 'Dockerfile'), 'utf8');
    const ignored = (await readFile(join(team, '.dockerignore'), 'utf8')).split('\n');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      String(paths).split(' '),
    );
    for (const path of copied) {
      expect(ignored).toContain(`!${path}`);
      expect(globSync(path, { cwd: team })).not.toEqual([]);
    }
    const command = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    expect(command.slice(1)).toEqual([
      'node_modules/.bin/gatehouse',
      'start',
      '--extension',
      'dist/acme.extension.js',
    ]);
  });

  it('migrates, and serves with what the team adds', async () => {
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
    await browser.send('PUT', '/acme/me/greetings', { count: 3 });
    const id = (await browser.me()).user?.id ?? '';
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);

    const asking = new ServerProcess(
      database,
      script('admin', ...extension, 'users', 'export', id),
    );
    expect([await asking.exitCode(), asking.stderr]).toEqual([0, '']);
    const extensions = { acme: { greetings: 3 } };
    expect(JSON.parse(asking.stdout)).toMatchObject({ extensions });
  });

  it('takes a newer version by the documented command', async () => {
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    await run('tar', ['xzf', join(team, 'gatehouse.tgz'), '-C', unpacked]);
    const manifest = join(unpacked, 'package/package.json');
    const old = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    const version = '1.99.0';
    await writeFile(manifest, JSON.stringify({ ...old, version }));
    const tarball = join(team, `gatehouse-${version}.tgz`);
    await run('tar', ['czf', tarball, '-C', unpacked, 'package']);
    expect(upgrade).toEqual(['npm install ./gatehouse-<version>.tgz']);
    await shell(upgrade[0]?.replace('<version>', version), WITHOUT_SCRIPTS);
    const read = async (path: string) => await readFile(join(team, path), 'utf8');
    expect(JSON.parse(await read('node_modules/gatehouse/package.json'))).toMatchObject({
      version,
    });
    expect(await read('package.json')).toContain(`"gatehouse": "file:gatehouse-${version}.tgz"`);
  });
});
