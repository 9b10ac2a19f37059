import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startBuiltServer } from '../support/built-server.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';

/** The process prints the modules that it loads to stderr. */
const TELLS_MODULES = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stderr.write('loads ' + url + '\\n');
      return next(url, context);
    },
  });`;

const TELLING = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELLS_MODULES)}`,
};

const CLOSED_PORT = 'http://127.0.0.1:1';

describe('the built service and its traces', () => {
  it.each([
    ['set', { OTEL_EXPORTER_OTLP_ENDPOINT: CLOSED_PORT }, true],
    ['unset', {}, false],
  ])('loads what records them where an address is %s', async (_what, variables, isLoaded) => {
    const server = await startBuiltServer({ ...TELLING, ...variables });
    try {
      await new Browser(server).get('/svc/auth/me');
      const loaded = server.process.stderr.match(/^loads .+$/gm) ?? [];
      expect(loaded.length).toBeGreaterThan(100);
      const ofSdk =
        /\/observability\/tracing\/|@opentelemetry\/(?:sdk|exporter|otlp|resources|core)/;
      expect(loaded.some((line) => ofSdk.test(line))).toBe(isLoaded);
    } finally {
      await server.stop();
    }
  });

  it('goes on without a collector, says so once, and ends normally', async () => {
    const server = await startBuiltServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: CLOSED_PORT,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-the-collector',
      SHUTDOWN_GRACE: '0',
    });
    try {
      const lines = () => server.process.stdout.match(/^.*traces do not arrive.*$/gm) ?? [];
      const browser = new Browser(server);
      await browser.signUp();
      await eventually(() => expect(lines()).toHaveLength(1));
      expect((await browser.get('/svc/auth/me')).status).toBe(200);
      server.process.signal('SIGTERM');
      expect(await server.process.exitCode()).toBe(0);
      expect(lines()).toEqual([expect.stringContaining('127.0.0.1:1: ECONNREFUSED')]);
      expect(server.process.stdout + server.process.stderr).not.toContain('of-the-collector');
    } finally {
      await server.stop();
    }
  });
});

describe('@opentelemetry/api of a team', () => {
  const ours = fileURLToPath(new URL('../../node_modules/@opentelemetry/api', import.meta.url));
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'api-copies-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Starts the service after a module that has its own copy of the API; returns what the log says of copies. */
  const startWith = async (version: string, code: string, variables: Record<string, string>) => {
    const home = join(folder, version);
    const copy = join(home, 'node_modules/@opentelemetry/api');
    await cp(ours, copy, { recursive: true });
    const versionFile = join(copy, 'build/src/version.js');
    const text = await readFile(versionFile, 'utf8');
    await writeFile(versionFile, text.replace(/VERSION = '[^']+'/, `VERSION = '${version}'`));
    const module = join(home, 'otel.mjs');
    await writeFile(module, `import { trace } from '@opentelemetry/api';\n${code}`);
    const preload = { NODE_OPTIONS: `--import=${pathToFileURL(module).href}` };
    const server = await startBuiltServer({ ...preload, ...variables });
    const lines = server.process.stdout.match(/^.*copies of @opentelemetry.*$/gm) ?? [];
    await server.stop();
    return { copy, lines };
  };

  const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: CLOSED_PORT };
  const REGISTERS = 'trace.setGlobalTracerProvider({ getTracer: () => ({}) });';

  it.each([
    ['newer than ours does not see our provider', '1.999.0', '', TRACED],
    ['older than ours hides the provider that it registers', '1.0.0', REGISTERS, {}],
    ['older than ours keeps ours from registering', '1.0.1', REGISTERS, TRACED],
  ])('is told in one line where a copy %s', async (_what, version, code, variables) => {
    const { copy, lines } = await startWith(version, code, variables);
    expect(lines).toEqual([expect.stringContaining(`"level":"warn"`)]);
    expect(lines[0]).toContain('spans are lost: 2 copies of @opentelemetry/api');
    expect(lines[0]).toContain(`${version} in ${copy}`);
    expect(lines[0]).toContain(ours);
  });

  it.each([
    ['sees our provider', '1.0.2', '', TRACED],
    ['has nothing to see', '1.999.1', '', {}],
  ])('is not told where a copy %s', async (_what, version, code, variables) => {
    expect((await startWith(version, code, variables)).lines).toEqual([]);
  });
});
