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
