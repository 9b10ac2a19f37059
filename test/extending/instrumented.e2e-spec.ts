import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { OAuthClient } from '../support/oauth-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { TraceCollector } from '../support/trace-collector.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const MEMBERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const instrumentationOf = (scope: string) =>
  /^@opentelemetry\/instrumentation-(\w+)$/.exec(scope)?.[1];

/** Modules of jest bypass the hooks that instrumentations need, so the service runs in its own process. */
describe('what a team loads before the service', () => {
  let folder: string;
  let collector: TraceCollector;
  let storage: TestStorage;
  let screening: Server;
  let screened: IncomingHttpHeaders[];
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'instrumented-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    screening = createServer((request, response) => {
      screened.push(request.headers);
      response.end('{"allowed":true}');
    });
    screening.listen(0, '127.0.0.1');
    await once(screening, 'listening');
  });
  beforeEach(async () => {
    screened = [];
    [collector, storage] = await Promise.all([TraceCollector.start(), storageForTests()]);
  });
  afterEach(async () => {
    await server?.kill();
    await Promise.all([collector.stop(), storage.dispose()]);
  });
  afterAll(async () => {
    screening.closeAllConnections();
    screening.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the service with a module as `docs/guides/extending.md` describes. */
  const startWith = async (n: number, variables: Record<string, string>) => {
    const page = await readFile(join(ROOT, 'docs/guides/extending.md'), 'utf8');
    const module = [...page.matchAll(/^```js\n([^]*?)^```$/gm)][n]?.[1];
    const file = join(folder, `${n}.mjs`);
    await writeFile(file, module ?? '');
    server = new ServerProcess({
      ...storage.environment,
      PORT: '0',
      NODE_OPTIONS: `--import=${pathToFileURL(file).href}`,
      SCREENING_WEBHOOK_URL: `http://127.0.0.1:${(screening.address() as AddressInfo).port}/`,
      ...variables,
    });
    const port = await server.port();
    return { port, origin: `http://localhost:${port}` };
  };

  it('adds its spans of pg, ioredis and undici to the trace of the request', async () => {
    const gatehouse = await startWith(0, collector.variables);
    const app = await ConnectedApp.connect(gatehouse);
    const call = { name: 'run_code', arguments: { code: 'return 1' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const answer = await new Browser(gatehouse).send('POST', '/svc/mcp', message, {
      ...MEMBERS,
      authorization: `Bearer ${app.token}`,
      traceparent: `00-${ID}-${PARENT}-01`,
    });
    expect(answer.status).toBe(200);
    const spans = () => collector.spans.filter(({ traceId }) => traceId === ID);
    await eventually(() => {
      expect(spans().map(({ name }) => name)).toContain('POST /svc/mcp');
      const found = new Set(spans().flatMap(({ scope }) => instrumentationOf(scope) ?? []));
      expect([...found].toSorted()).toEqual(['ioredis', 'pg', 'undici']);
      // Spans of work after the answer end later.
      const ids = new Set([PARENT, ...spans().map(({ spanId }) => spanId)]);
      expect(spans().filter(({ parentSpanId }) => !ids.has(parentSpanId))).toEqual([]);
    });
    const asked = spans().find(({ scope }) => instrumentationOf(scope) === 'undici');
    expect(screened.map(({ traceparent }) => traceparent)).toEqual([
      `00-${ID}-${asked?.spanId}-01`,
    ]);
  });

  it('tells hosts that strangers name of no trace', async () => {
    const gatehouse = await startWith(0, {
      ...collector.variables,
      CIMD_PRIVATE_HOSTS: 'localhost:1',
    });
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = OAuthClient.published(gatehouse, 'https://localhost:1/client');
    expect((await browser.get(client.authorizePath())).status).toBe(400);
    const of = (kind: string) =>
      collector.spans.filter(
        ({ scope, attributes }) =>
          (instrumentationOf(scope) ?? scope) === kind && attributes['server.port'] === 1,
      );
    await eventually(() => expect(of('gatehouse')).toHaveLength(1));
    expect(of('undici')).toEqual([]);
  });

  it('may register a provider, which all spans go to', async () => {
    const gatehouse = await startWith(1, {
      ACME_COLLECTOR: `${collector.origin}/acme`,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    await new Browser(gatehouse).get('/svc/auth/me');
    await eventually(() => {
      expect(collector.spans.map(({ name }) => name)).toContain('GET /svc/auth/me');
    });
    expect(new Set(collector.paths)).toEqual(new Set(['/acme']));
    expect(collector.resources[0]?.['service.name']).toBe('acme');
  });
});
