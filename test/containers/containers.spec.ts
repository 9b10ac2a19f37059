import { execFile } from 'node:child_process';
import { access, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { readConfig } from '../../apps/server/src/config/config.js';
import { Environment } from '../../apps/server/src/config/environment.js';
import { findNginx, findProgram } from '#libs/platform/testing';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REPLICAS = ['server-1', 'server-2'] as const;

const run = promisify(execFile);
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

interface Service {
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly tmpfs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks: Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly image: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

const compose = async () => parse(await read('docker-compose.yml'), { merge: true }) as Compose;

/** The values that `docker compose` fills in where no variable is set. */
const withDefaults = (environment: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]),
  );

const addressesIn = (text: string) =>
  [...text.matchAll(/^server ([\d.]+):3000 /gm)].map(([, address]) => address);

const IMAGES = ['Dockerfile', 'examples/team/Dockerfile'];

/** The variables that an image sets. */
const variablesOf = (dockerfile: string): Record<string, string> => {
  const block = /^ENV ((?:.+\\\n)*.+)$/m.exec(dockerfile)?.[1] ?? '';
  return Object.fromEntries(
    block.split(/\s*\\\n\s*|\s+/).map((pair) => pair.split('=') as [string, string]),
  );
};

describe('Dockerfile', () => {
  it('has nothing that its linter objects to', async () => {
    expect(validate(await read('Dockerfile'))).toEqual([]);
  });

  it.each(IMAGES)('%s leaves secrets to files', async (image) => {
    const dockerfile = await read(image);
    const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
    const file = join(folder, 'secret');
    await writeFile(file, 'postgres://gate:secret@db.internal/gate');
    const { database } = readConfig({ ...variablesOf(dockerfile), DATABASE_URL_FILE: file });
    expect(database.type).toBe('postgres');
    await rm(folder, { recursive: true });
  });

  it.each(IMAGES)('%s keeps the default database in its volume', async (image) => {
    const dockerfile = await read(image);
    expect(new Environment().DATABASE_URL).toMatch(/^sqlite:\.\/data\//);
    expect(dockerfile).toMatch(/^WORKDIR \/app$/m);
    expect(dockerfile).toMatch(/^RUN install .* \/data && ln -s \/data data$/m);
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
  });

  it('copies nothing that .dockerignore leaves out, and starts what the build makes', async () => {
    const dockerfile = await read('Dockerfile');
    const ignored = (await read('.dockerignore')).split('\n');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      String(paths).split(' '),
    );
    expect(copied.length).toBeGreaterThan(0);
    for (const path of copied) {
      expect(ignored).toContain(`!${path}`);
      await access(join(ROOT, path));
    }
    expect(dockerfile).toMatch(/^CMD \["node", .*"dist\/apps\/server\/src\/main\.js", "start"\]$/m);
  });

  it('sets variables that the service takes, and runs as an unprivileged user', async () => {
    const dockerfile = await read('Dockerfile');
    const variables = variablesOf(dockerfile);
    expect(Object.keys(variables)).toContain('MANAGEMENT_PORT');
    const { NODE_ENV: _, ...ours } = variables;
    for (const name of Object.keys(ours)) expect(new Environment()).toHaveProperty(name);
    expect(readConfig(variables).listen.host).toBe('0.0.0.0');
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('limits the heap, by a variable that an operator can set', async () => {
    const dockerfile = await read('Dockerfile');
    expect(dockerfile).toMatch(/^ENV NODE_OPTIONS=--max-old-space-size=\d+$/m);
    expect(dockerfile).not.toMatch(/^CMD .*--max-old-space-size/m);
  });
});

describe('docker-compose.yml', () => {
  it('has nothing that its linter objects to', async () => {
    const linter = join(ROOT, 'node_modules/dclint/bin/dclint.cjs');
    const args = [linter, '--max-warnings', '0', 'docker-compose.yml'];
    await expect(run(process.execPath, args, { cwd: ROOT })).resolves.toBeDefined();
  });

  it('gives the replicas variables that the service takes, the same to both', async () => {
    const { services } = await compose();
    const [first, second] = REPLICAS.map((name) => withDefaults(services[name]?.environment));
    expect(first).toEqual(second);
    for (const name of Object.keys(first ?? {})) expect(new Environment()).toHaveProperty(name);
    const config = readConfig(first);
    expect(config.database.type).toBe('postgres');
    expect(config.publicOrigins).toEqual(['https://localhost:8443']);
  });

  it('kills no replica that may still answer', async () => {
    const { services } = await compose();
    for (const name of REPLICAS) {
      const { environment, stop_grace_period: patience = '' } = services[name] ?? {};
      const { shutdownGraceMs } = readConfig(withDefaults(environment));
      expect(patience).toMatch(/^\d+s$/);
      expect(Number.parseInt(patience, 10) * 1000).toBeGreaterThanOrEqual(shutdownGraceMs + 5_000);
    }
  });

  it('trusts nginx alone as a proxy, and nginx finds the replicas', async () => {
    const { services } = await compose();
    const addressOf = (name: string) => services[name]?.networks['edge']?.ipv4_address;
    const replicas = await read('ops/nginx/compose/replicas.conf');
    expect(addressesIn(replicas)).toEqual(REPLICAS.map(addressOf));
    for (const name of REPLICAS) {
      expect(services[name]?.environment?.['TRUSTED_PROXIES']).toBe(addressOf('nginx'));
    }
  });

  it('lets replicas write nothing', async () => {
    const { services } = await compose();
    for (const name of REPLICAS) {
      expect(services[name]?.read_only).toBe(true);
      expect(services[name]?.tmpfs).toBeUndefined();
    }
  });

  it('can be reached from this machine only', async () => {
    const { services } = await compose();
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8443:8443', '127.0.0.1:9090:9090']);
    for (const name of REPLICAS) expect(services[name]?.ports).toBeUndefined();
    expect(services['prometheus']?.profiles).toEqual(['monitoring']);
  });

  it('has a Prometheus that asks each replica for its metrics, under a name that they answer to', async () => {
    const { services } = await compose();
    const { scrape_configs: scraped, rule_files: rules } = parse(
      await read('ops/prometheus/compose.yml'),
    ) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
      rule_files: string[];
    };
    const image = variablesOf(await read('Dockerfile'));
    const { environment } = services[REPLICAS[0]] ?? {};
    const { management } = readConfig({ ...image, ...withDefaults(environment) });
    const targets = scraped.flatMap(({ static_configs: places }) =>
      places.flatMap((one) => one.targets),
    );
    expect(targets).toEqual(REPLICAS.map((name) => `${name}:${management?.port}`));
    expect(scraped.map(({ job_name: job }) => job)).toEqual(['gatehouse']);
    expect(management).toMatchObject({ host: '0.0.0.0', allowedHosts: REPLICAS });
    const { networks, volumes = [] } = services['prometheus'] ?? {};
    expect(networks).toEqual(['monitoring']);
    for (const name of REPLICAS) expect(services[name]?.networks).toHaveProperty('monitoring');
    for (const file of rules) {
      expect(volumes).toContain(`./ops/prometheus/${file}:/etc/prometheus/${file}:ro`);
    }
  });

  it('has no password but those that are marked as local', async () => {
    const text = await read('docker-compose.yml');
    const passwords = text.match(/\$\{\w*PASSWORD[^}]*\}/g);
    expect(new Set(passwords)).toEqual(
      new Set(['${POSTGRES_PASSWORD:-local-only}', '${REDIS_PASSWORD:-local-only}']),
    );
    expect(text).toContain('LOCAL ONLY');
  });

  it('mounts files that exist, or that ops/certificate.sh makes', async () => {
    const { services } = await compose();
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((path) => path.startsWith('./') && path !== './ops/certificate');
    expect(mounted).toContain('./ops/nginx/nginx.conf');
    for (const path of mounted) await access(join(ROOT, path));
  });
});

describe('ops', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ops-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const openssl = findProgram('openssl');
  const nginx = findNginx();

  (openssl && nginx ? it : it.skip)(
    'certificate.sh makes what nginx takes, as docker-compose.yml puts it together (skipped without nginx and openssl)',
    async () => {
      const certificate = join(folder, 'certificate');
      await run(join(ROOT, 'ops/certificate.sh'), [certificate]);
      const file = join(certificate, 'certificate.pem');
      const question = ['x509', '-noout', '-checkhost', 'localhost', '-in', file];
      const { stdout } = await run('openssl', question);
      expect(stdout).toContain('does match certificate');

      await mkdir(join(folder, 'prefix'));
      await cp(join(ROOT, 'ops/nginx'), folder, { recursive: true });
      await cp(join(ROOT, 'ops/nginx/compose'), join(folder, 'here'), { recursive: true });
      const listener = join(folder, 'here/listener.conf');
      const shipped = await readFile(listener, 'utf8');
      await writeFile(
        listener,
        shipped.replaceAll('/run/certificate', certificate).replace('/dev/stdout', 'hops.log'),
      );
      const prefix = ['-p', `${join(folder, 'prefix')}/`, '-e', 'stderr'];
      const { stderr } = await run(nginx ?? '', [
        '-t',
        ...prefix,
        '-c',
        join(folder, 'nginx.conf'),
      ]);
      expect(stderr).toContain('test is successful');
      expect(stderr).not.toMatch(/\[(warn|error|emerg)\](?!.*"user")/);
    },
  );
});
