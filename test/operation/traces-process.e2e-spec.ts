import { ServerProcess, startBuiltServer } from '../support/built-server.js';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';

/** The process says on stderr which modules it loads. */
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

const NOBODY = 'http://127.0.0.1:1';

describe('the built service and its traces', () => {
  it.each([
    ['set', { OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY }, true],
    ['unset', {}, false],
  ])('loads what records them where an address is %s', async (_what, variables, isLoaded) => {
    const server = await startBuiltServer({ ...TELLING, ...variables });
    try {
      await new Browser(server).get('/svc/auth/me');
      const loaded = server.process.stderr.match(/^loads .+$/gm) ?? [];
      expect(loaded.length).toBeGreaterThan(100);
      expect(loaded.some((line) => line.includes('/observability/tracing/'))).toBe(isLoaded);
      expect(loaded.filter((line) => line.includes('@opentelemetry/sdk'))).toEqual([]);
    } finally {
      await server.stop();
    }
  });

  it('goes on where nobody takes them, says so once, and ends as ever', async () => {
    const server = await startBuiltServer({ OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY });
    try {
      const lines = () => server.process.stdout.match(/^.*traces do not arrive.*$/gm) ?? [];
      const browser = new Browser(server);
      await browser.signUp();
      await eventually(() => expect(lines()).toHaveLength(1));
      expect((await browser.get('/svc/auth/me')).status).toBe(200);
      server.process.signal('SIGTERM');
      expect(await server.process.exitCode()).toBe(0);
      expect(lines()).toEqual([expect.stringContaining('127.0.0.1:1: ECONNREFUSED')]);
    } finally {
      await server.stop();
    }
  });

  it('does not start with an address that is none', async () => {
    const server = new ServerProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://ann:secret@collector' });
    expect(await server.exitCode()).toBe(1);
    expect(server.stderr).toBe(
      'OTEL_EXPORTER_OTLP_ENDPOINT takes an http or https URL without a name and a password\n',
    );
  });
});
