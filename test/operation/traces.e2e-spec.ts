import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { TabClient } from '../support/tab-client.js';
import { type CollectedSpan, TraceCollector } from '../support/trace-collector.js';

const PARENT = '00f067aa0ba902b7';
const [SERVER, CLIENT] = [2, 3];
const FAILED = { code: 2 };

const SYSTEMS: Record<string, readonly string[]> = {
  embedded: ['sqlite'],
  redis: ['redis', 'sqlite'],
  postgres: ['postgresql', 'redis'],
};

let traces = 0;
const newTrace = () => (traces += 1).toString(16).padStart(32, 'a');

describe('traces', () => {
  let screening: Server;
  let screened: IncomingHttpHeaders[];
  let collector: TraceCollector;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    screening = createServer((request, response) => {
      screened.push(request.headers);
      response.end('{"allowed":true}');
    });
    screening.listen(0, '127.0.0.1');
    await once(screening, 'listening');
    collector = await TraceCollector.start();
    gatehouse = await startGatehouse({
      ...collector.variables,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=the%20key',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      SCREENING_WEBHOOK_URL: `http://127.0.0.1:${(screening.address() as AddressInfo).port}/ask?key=of-the-webhook`,
    });
  });
  beforeEach(() => {
    screened = [];
  });
  afterAll(async () => {
    await gatehouse.stop();
    await collector.stop();
    screening.closeAllConnections();
    screening.close();
  });

  /** All spans of a trace, once the span of its request has ended, which is the last one. */
  const spansOf = async (traceId: string) => {
    let spans: readonly CollectedSpan[] = [];
    let root: CollectedSpan | undefined;
    await eventually(() => {
      spans = collector.spans.filter((span) => span.traceId === traceId);
      root = spans.find(({ parentSpanId }) => ['', PARENT].includes(parentSpanId));
      expect(root).toBeDefined();
    });
    return { root: root as CollectedSpan, others: spans.filter((span) => span !== root) };
  };

  const traceparent = (traceId: string, flags = '01') => `00-${traceId}-${PARENT}-${flags}`;

  const mcp = (token: string, id: string, method: string, params: object) =>
    call(gatehouse.port, {
      method: 'POST',
      path: '/svc/mcp?code=in-the-query',
      headers: {
        host: new URL(gatehouse.origin).host,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        traceparent: traceparent(id),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  const toolsCall = (token: string, id: string, code = 'return "of-the-program"') =>
    mcp(token, id, 'tools/call', { name: 'run_code', arguments: { code } });

  it('tell a call of a tool as a tree of HTTP, tool, SQL and fetch under the trace it came with', async () => {
    const id = newTrace();
    const app = await ConnectedApp.connect(gatehouse);
    expect((await toolsCall(app.token, id)).status).toBe(200);
    const { root, others } = await spansOf(id);
    expect(root).toMatchObject({ name: 'POST /svc/mcp', parentSpanId: PARENT });
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/svc/mcp',
      'url.path': '/svc/mcp',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'http.response.status_code': 200,
    });
    const tool = others.find(({ name }) => name === 'tools/call run_code');
    expect(tool).toMatchObject({ parentSpanId: root.spanId, kind: SERVER, scope: 'gatehouse' });
    expect(tool?.status?.code).toBeUndefined();
    expect(tool?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'run_code',
      'network.transport': 'tcp',
      'gatehouse.called': 'run_code',
      'gatehouse.outcome': 'done',
    });
    const fetched = others.find(({ name }) => name === 'POST');
    expect(fetched).toMatchObject({ parentSpanId: tool?.spanId, kind: CLIENT });
    expect(fetched?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': (screening.address() as AddressInfo).port,
      'url.full': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/REDACTED$/),
    });
    expect(screened[0]?.['traceparent']).toBe(`00-${id}-${fetched?.spanId}-01`);
    const ids = new Set([PARENT, root.spanId, ...others.map(({ spanId }) => spanId)]);
    expect(others.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([]);
    const systems = others.flatMap(({ attributes }) => attributes['db.system.name'] ?? []);
    expect([...new Set(systems)].toSorted()).toEqual(SYSTEMS[globalThis.STORAGE ?? 'embedded']);
  });

  it('spans have an error status for calls that failed, by the answer of the client', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const failureOf = async (method: string, params: object) => {
      const id = newTrace();
      await mcp(app.token, id, method, params);
      const { others } = await spansOf(id);
      const span = others.find(({ attributes }) => attributes['mcp.method.name'] === method);
      return [span?.name, span?.attributes['error.type'], span?.status];
    };
    const mismatch = { name: 'run_code', arguments: { code: 7 } };
    expect(await failureOf('tools/call', mismatch)).toEqual([
      'tools/call run_code',
      'tool_error',
      FAILED,
    ]);
    const gone = { uri: 'tabs://gone' };
    expect(await failureOf('resources/read', gone)).toEqual(['resources/read', '-32602', FAILED]);
  });

  it('name a method that is none of ours as OpenTelemetry does', async () => {
    const id = newTrace();
    const headers = { traceparent: traceparent(id) };
    await call(gatehouse.port, { method: 'PROPFIND', path: '/svc/auth/me', headers });
    const { root } = await spansOf(id);
    expect(root.name).toBe('HTTP /svc/auth/me');
    expect(root.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
    });
  });

  it('tell times that fit into each other', async () => {
    const id = newTrace();
    await new Browser(gatehouse).get('/svc/auth/me', { traceparent: traceparent(id) });
    const { root } = await spansOf(id);
    const [start, end] = [root.startTimeUnixNano, root.endTimeUnixNano].map(Number);
    expect(end).toBeGreaterThanOrEqual(start ?? Infinity);
    expect(Math.abs(Date.now() - Number(start) / 1e6)).toBeLessThan(120_000);
  });

  it('tell the name of a prepared statement and its text, with placeholders', async () => {
    const id = newTrace();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    await browser.get('/svc/auth/me', { traceparent: traceparent(id) });
    const { root, others } = await spansOf(id);
    expect(root.name).toBe('GET /svc/auth/me');
    const prepared = others.find(({ attributes }) => 'db.query.text' in attributes);
    expect(prepared?.kind).toBe(CLIENT);
    expect(prepared?.attributes).toMatchObject({
      'db.system.name': expect.stringMatching(/^(?:sqlite|postgresql)$/),
      'db.query.summary': prepared?.name,
      'db.query.text': expect.stringMatching(/SELECT[\s\S]*[$?]1/),
    });
  });

  it('begin with a request that comes without one, by its id', async () => {
    const answer = await new Browser(gatehouse).get('/svc/auth/me');
    const id = String(answer.headers['x-request-id']).replaceAll('-', '');
    const { root } = await spansOf(id);
    expect(root.parentSpanId).toBe('');
  });

  it('do not follow a stranger who says that he is not recorded', async () => {
    const id = newTrace();
    await new Browser(gatehouse).get('/svc/auth/me', { traceparent: traceparent(id, '00') });
    expect((await spansOf(id)).root.name).toBe('GET /svc/auth/me');
  });

  it('have the beginning of a tab, and nothing of what it sends after that', async () => {
    const id = newTrace();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const headers = { traceparent: traceparent(id) };
    const tab = await TabClient.open(gatehouse, browser, { headers });
    const { root } = await spansOf(id);
    expect([root.name, root.attributes['http.response.status_code']]).toEqual([
      'GET /svc/me/tabs',
      101,
    ]);
    await tab.ask('send', { id: '1', to: '*', body: 'hello' }, 'ack');
    tab.socket.close();
    await tab.closed;
    const next = newTrace();
    await browser.get('/svc/auth/me', { traceparent: traceparent(next) });
    await spansOf(next);
    const { others } = await spansOf(id);
    expect(others.filter((span) => span.startTimeUnixNano > root.endTimeUnixNano)).toEqual([]);
  });

  it('keep apart what is asked at the same time', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const ids = Array.from({ length: 30 }, newTrace);
    await Promise.all(
      ids.map((id) => browser.get('/svc/auth/me', { traceparent: traceparent(id) })),
    );
    for (const id of ids) {
      const { root, others } = await spansOf(id);
      const above = new Set([root.spanId, ...others.map(({ spanId }) => spanId)]);
      expect(others.filter(({ parentSpanId = '' }) => !above.has(parentSpanId))).toEqual([]);
    }
  });

  it('name no path that nothing matched', async () => {
    const id = newTrace();
    await new Browser(gatehouse).get('/made-up', { traceparent: traceparent(id) });
    const { root } = await spansOf(id);
    expect([root.name, root.attributes['http.route']]).toEqual(['GET', undefined]);
  });

  it('hold no cookie, code, token, key or argument', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const code = await client.authorize(browser, ['code:run']);
    const tokens = (await client.exchange(code)).json<Record<string, string>>();
    await browser.get('/svc/auth/me');
    const id = newTrace();
    await toolsCall(String(tokens['access_token']), id);
    await spansOf(id);
    const sent = Buffer.concat(collector.bodies).toString('latin1');
    const cookie = String(browser.cookie).split('=')[1];
    const { access_token: access, refresh_token: refresh } = tokens;
    const secrets = [cookie, code, access, refresh, client.verifier, client.state];
    for (const secret of [...secrets, 'in-the-query', 'of-the-program', 'of-the-webhook']) {
      expect([secret?.length, sent.includes(String(secret))]).toEqual([expect.any(Number), false]);
    }
  });

  it('go to the address that is set, with its headers, from this replica', async () => {
    await new Browser(gatehouse).get('/svc/auth/me');
    await eventually(() => expect(collector.resources.length).toBeGreaterThan(0));
    expect(new Set(collector.paths)).toEqual(new Set(['/otlp/v1/traces']));
    expect(collector.headers.at(-1)).toMatchObject({
      'x-key': 'the key',
      'content-type': 'application/x-protobuf',
    });
    expect(collector.resources.at(-1)).toEqual({
      'service.name': 'gatehouse',
      'service.version': expect.any(String),
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'test',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.version': expect.any(String),
    });
  });
});
