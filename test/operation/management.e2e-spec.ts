import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { WebSocket } from 'ws';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Registry } from '../../apps/server/src/observability/prometheus.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { parseMetrics, valueOf } from './metrics-text.js';
import { askManagement, managementPortOf } from '../support/management.js';

const DURATIONS = 'gatehouse_http_request_duration_seconds_count';

describe('management listener', () => {
  let gatehouse: Gatehouse;
  let port: number;

  const get = (path: string, method = 'GET') => call(port, { method, path });
  const metrics = async () => parseMetrics((await get('/metrics')).text);
  const value = async (name: string, labels = {}) => valueOf(await metrics(), name, labels);

  beforeEach(async () => {
    gatehouse = await startGatehouse({
      MANAGEMENT_PORT: '0',
      MANAGEMENT_ALLOWED_HOSTS: 'replica-1',
    });
    port = managementPortOf(gatehouse);
  });
  afterEach(() => gatehouse.stop());

  it('says that it lives, and what it depends on', async () => {
    expect([(await get('/livez')).status, (await get('/livez')).text]).toEqual([200, 'alive\n']);
    const ready = await get('/readyz');
    const up = { status: 'up', durationMs: expect.any(Number) };
    const dependencies =
      globalThis.STORAGE === 'embedded' ? { database: up } : { database: up, redis: up };
    expect([ready.status, ready.json()]).toEqual([
      200,
      { ready: true, listening: true, dependencies },
    ]);
    expect(ready.headers['cache-control']).toBe('no-store');
    const left = await get('/readyz?exclude=redis&exclude=none');
    expect([left.status, left.json()['dependencies']]).toEqual([200, { database: up }]);
  });

  it('begins pipelined requests one by one', async () => {
    const registry = gatehouse.app.get(Registry, { strict: false });
    const metricsOf = registry.metrics.bind(registry);
    let [atOnce, most] = [0, 0];
    registry.metrics = async () => {
      most = Math.max(most, (atOnce += 1));
      await turn();
      return metricsOf().finally(() => (atOnce -= 1));
    };
    const client = connect(port, '127.0.0.1');
    client.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(8));
    let read = '';
    client.on('data', (bytes: Buffer) => (read += bytes.toString()));
    await eventually(() => expect(read.match(/HTTP\/1.1 200 /g)).toHaveLength(8));
    client.destroy();
    expect(most).toBe(1);
  });

  it('answers nothing else, and shows nothing of itself on the main port', async () => {
    for (const path of ['/', '/livez/', '/LIVEZ', '/svc/auth/me', '/constructor', '/__proto__']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await get('/metrics', 'POST')).status).toBe(405);
    const head = await get('/readyz', 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const path of ['/livez', '/readyz', '/metrics']) {
      const answer = await new Browser(gatehouse).get(path);
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('answers under its own names where it tells something: 421 for any other', async () => {
    const named = async (path: string, host: string) =>
      (await call(port, { method: 'GET', path, headers: { host } })).status;
    for (const host of [`localhost:${port}`, `[::1]:${port}`, '10.1.2.3', 'replica-1:9090']) {
      expect([host, await named('/metrics', host)]).toEqual([host, 200]);
    }
    for (const path of ['/metrics', '/admin/', '/admin/users', '/metrics?x']) {
      expect([path, await named(path, `evil.example:${port}`)]).toEqual([path, 421]);
    }
    expect(await named('/livez', `evil.example:${port}`)).toBe(200);
    expect(await named('/admin/', 'localhost')).toBe(404);
  });

  it('/readyz tells of dependencies under the names of /metrics, and any other name the status alone', async () => {
    const named = (host: string, path = '/readyz') =>
      call(port, { method: 'GET', path, headers: { host } });
    for (const host of [`localhost:${port}`, '10.1.2.3', 'replica-1:9090']) {
      const told = (await named(host)).json<{ dependencies: object }>();
      expect([host, told]).toMatchObject([host, { dependencies: { database: { status: 'up' } } }]);
    }
    const ofStrangers = async () => {
      const { status, text } = await named(`evil.example:${port}`);
      return [status, JSON.parse(text)];
    };
    expect(await ofStrangers()).toEqual([200, { ready: true, listening: true }]);
    const dataSource = gatehouse.app.get(DataSource);
    await dataSource.destroy();
    await eventually(async () =>
      expect(await ofStrangers()).toEqual([503, { ready: false, listening: true }]),
    );
    expect((await named('evil.example', '/readyz?exclude=database')).status).toBe(200);
    await dataSource.initialize();
  });

  it('counts what happened', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    await browser.signIn();
    await browser.post('/svc/auth/login/verify', {});
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: token } = await client.connect(browser);
    await client.refresh(token);
    await client.answerConsent(browser, await client.showConsent(browser), [], 'deny');
    await client.mcp('unknown');
    const samples = await metrics();
    const of = (name: string, labels = {}) => valueOf(samples, name, labels);

    const ceremonies = 'gatehouse_ceremonies_total';
    expect(of(ceremonies, { kind: 'register', outcome: 'started' })).toBe(1);
    expect(of(ceremonies, { kind: 'register', outcome: 'completed' })).toBe(1);
    expect(of(ceremonies, { kind: 'login', outcome: 'completed' })).toBe(1);
    expect(of(ceremonies, { kind: 'login', outcome: 'refused' })).toBe(1);
    expect(of('gatehouse_consents_total', { decision: 'approved' })).toBe(1);
    expect(of('gatehouse_consents_total', { decision: 'denied' })).toBe(1);
    const tokens = 'gatehouse_token_responses_total';
    expect(of(tokens, { grant_type: 'authorization_code' })).toBe(1);
    expect(of(tokens, { grant_type: 'refresh_token' })).toBe(1);
    expect(of('gatehouse_refusals_total', { area: 'mcp', status: '401' })).toBe(1);
    expect(of('gatehouse_refusals_total', { area: 'auth', status: '400' })).toBe(1);
    expect(of(DURATIONS, { method: 'POST', route: '/svc/oauth/token', status: '200' })).toBe(2);
    expect(of('gatehouse_security_events_total', { type: 'sign-up' })).toBe(1);
    expect(of('gatehouse_dependency_up', { dependency: 'database' })).toBe(1);
    expect(of('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(samples.map(({ name }) => name)).toContain('nodejs_eventloop_lag_p99_seconds');
  });

  it('counts tabs while they are open, and frames both ways, and those that are too many', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const tab = new WebSocket(`ws://127.0.0.1:${gatehouse.port}/svc/me/tabs`, {
      headers: { host: new URL(gatehouse.origin).host, cookie: browser.cookie ?? '' },
    });
    await once(tab, 'message');
    const sent = await value('gatehouse_hub_messages_total', { direction: 'out' });
    expect(sent).toBeGreaterThan(0);
    tab.send('{"event":"ping"}');
    await eventually(async () => {
      expect(await value('gatehouse_hub_messages_total', { direction: 'in' })).toBe(1);
      expect(await value('gatehouse_hub_messages_total', { direction: 'out' })).toBeGreaterThan(
        sent,
      );
    });
    expect(await value('gatehouse_hub_sockets')).toBe(1);
    expect(await value('gatehouse_hub_dropped_messages_total')).toBe(0);
    for (let n = 0; n < 300; n += 1) tab.send('{"event":"ping"}');
    await eventually(async () => {
      expect(await value('gatehouse_hub_dropped_messages_total')).toBeGreaterThan(100);
    });
    tab.close();
    await eventually(async () => expect(await value('gatehouse_hub_sockets')).toBe(0));
  });

  it('counts credits that were charged, given back and refused', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const charged = await app.have('run_code', { code: 'return 1' });
    const id = (await app.browser.me()).user?.id ?? '';
    await new Admin(gatehouse).text('budget', 'set', id, '1');
    await app.refusal('run_code', { code: 'return 1' });
    const reserved = await value('gatehouse_budget_reserved_credits_total');
    const returned = await value('gatehouse_budget_returned_credits_total');
    expect(returned).toBeGreaterThan(0);
    expect(reserved - returned).toBe(charged?.['creditsUsed']);
    expect(await value('gatehouse_budget_refusals_total')).toBe(1);
  });

  it('shows how the storages are used', async () => {
    await new Browser(gatehouse).me();
    const names = new Set((await metrics()).map(({ name }) => name));
    expect(names.has('gatehouse_redis_connected')).toBe(globalThis.STORAGE !== 'embedded');
    expect(names.has('gatehouse_database_connections')).toBe(globalThis.STORAGE === 'postgres');
  });

  it('the number of labels stays the same after two hundred made-up paths, methods and grant types', async () => {
    const stranger = new Browser(gatehouse);
    const wander = async () => {
      const made = randomUUID();
      await stranger.get(`/${made}`);
      await stranger.get(`/svc/oauth/${made}`);
      await stranger.send('DELETE', `/svc/me/apps/${made}`);
      await stranger.get(`/svc/mcp/${made}?code=${made}`);
      await stranger.get(`/.well-known/oauth-${made}`);
      await stranger.post('/svc/oauth/token', `grant_type=${made}`, {
        'content-type': 'application/x-www-form-urlencoded',
      });
      await stranger.send('PROPFIND', `/svc/auth/${made}`);
      await stranger.get('/svc/auth/me', { host: `${made}.example` });
    };
    const ours = async () =>
      (await metrics()).filter(({ name }) => name.startsWith('gatehouse_')).length;
    await wander();
    const before = await ours();
    for (let round = 0; round < 25; round += 1) await wander();
    expect(await ours()).toBe(before);
    expect(await value(DURATIONS, { route: 'none', status: '421' })).toBe(26);
    expect(await value(DURATIONS, { method: 'other' })).toBe(26);
  });
});

describe('rate-limited requests', () => {
  it('are counted by area', async () => {
    const gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0', RATE_LIMIT_MAX: '2' });
    const stranger = new Browser(gatehouse);
    for (let n = 0; n < 5; n += 1) await stranger.post('/svc/auth/logout');
    const { text } = await askManagement(gatehouse, '/metrics');
    const limited = valueOf(parseMetrics(text), 'gatehouse_rate_limited_total', { area: 'auth' });
    expect(limited).toBe(3);
    await gatehouse.stop();
  });
});
