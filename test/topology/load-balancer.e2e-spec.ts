import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { call, exchange, requestHead } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { SITE_PAGE } from '../support/services/nginx-server.js';
import { describeTopology, Topology } from '../support/topology.js';
import { TraceCollector } from '../support/trace-collector.js';

const MAX = 20;

describeTopology('the load balancer as it is shipped', () => {
  let topology: Topology;
  let collector: TraceCollector;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    topology = await Topology.start({
      RATE_LIMIT_MAX: String(MAX),
      ...collector.variables,
    });
  });
  afterAll(async () => {
    await topology.stop();
    await collector.stop();
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    call(topology.port, { method: 'GET', path, headers: { host: 'localhost:8443', ...headers } });

  it('serves the service on the origin that people see, with the cookie of https', async () => {
    const metadata = await get('/.well-known/oauth-authorization-server');
    expect(metadata.json()['issuer']).toBe('https://localhost:8443');
    const browser = new Browser(topology);
    expect((await browser.signUp()).status).toBe(200);
    expect(browser.cookie).toMatch(/^__Host-session=/);
    expect((await browser.me()).user?.displayName).toBe('Ann');
  });

  it('lets no visitor say whether a request is recorded, or as part of which trace', async () => {
    const id = 'a'.repeat(32);
    const path = '/svc/me/sessions';
    await get(path, { traceparent: `00-${id}-${'b'.repeat(16)}-00` });
    const spans = () => collector.spans.filter(({ name }) => name === `GET ${path}`);
    await eventually(() => expect(spans()).toHaveLength(1));
    expect(spans()[0]?.traceId).not.toBe(id);
  });

  it.each([
    '/svc/auth/me',
    '/svc/oauth/token',
    '/svc/me/apps',
    '/svc/me/apps/x',
    '/svc/me/managed-apps',
    '/svc/me',
    '/svc/me/passkeys/x',
    '/svc/me/sessions',
    '/svc/me/activity',
    '/svc/me/recovery-codes',
    '/svc/account',
    '/svc/account/recover',
    '/svc/recovery',
    '/svc/client.js',
    '/svc/bridge.js',
    '/svc/client.d.ts',
    '/svc/mcp',
    '/svc/mcp/x',
    '/svc/jwks',
    '/svc/introspect',
    '/.well-known/oauth-protected-resource/svc/mcp',
    '/.well-known/passkey-endpoints',
  ])('hands %s to a replica', async (path) => {
    expect((await get(path)).headers['x-replica']).toBeDefined();
  });

  it.each([
    '/svc',
    '/svc/',
    '/svc/auth',
    '/svc/mcpx',
    '/svc/jwks/',
    '/svc/me/',
    '/svc/me/appsx',
    '/svc/recovery/',
    '/svc/accounts',
    '/svc/client-js',
    '/svc/bridge-js',
    '/index.htm',
    '/nothing/',
    '/metrics',
  ])('404 | %s | no path of the service, and not of the site', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers['x-replica']).toBeUndefined();
  });

  it('404 | /.git/config, /.env | hidden files of the site', async () => {
    expect((await get('/.git/config')).status).toBe(404);
    expect((await get('/.env')).status).toBe(404);
  });

  it('serves the site beside the service, and says of itself only what it is', async () => {
    const answer = await get('/');
    expect(answer.text).toBe(SITE_PAGE);
    expect(answer.headers['server']).toBe('nginx');
    expect(answer.headers['x-frame-options']).toBe('DENY');
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('hands / to a replica where the site has no page there, and nothing else', async () => {
    await topology.withoutSite(async () => {
      for (const path of ['/', '/?from=a-bookmark']) {
        const answer = await get(path);
        expect([answer.status, answer.headers['location']]).toEqual([302, '/svc/account']);
        expect(answer.headers['x-replica']).toBeDefined();
      }
      expect((await get('/index.html')).status).toBe(404);
    });
  });

  it.each([
    ['X-Forwarded-Host', 'evil.example'],
    ['X-Forwarded-Proto', 'http'],
    ['Forwarded', 'host=evil.example;proto=http'],
    ['X-Forwarded-Port', '1'],
  ])('a visitor’s own %s changes no origin', async (header, value) => {
    const answer = await get('/.well-known/oauth-authorization-server', { [header]: value });
    expect(answer.json()['issuer']).toBe('https://localhost:8443');
  });

  it('421 | any path | the Host is another one', async () => {
    const answer = await exchange(
      topology.port,
      requestHead('GET /svc/auth/me HTTP/1.1', 'Host: evil.example'),
    );
    expect(answer.status).toBe(421);
  });

  it('a visitor cannot become another one, and is counted once by both replicas', async () => {
    const visitor = await topology.visitor('127.0.0.9');
    let count = 0;
    const answers = await Promise.all(
      Array.from({ length: 3 * MAX }, () => {
        const address = `203.0.113.${++count}`;
        return new Browser(visitor).post('/svc/auth/logout', undefined, {
          'x-real-ip': address,
          'x-forwarded-for': address,
        });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(MAX);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * MAX);
    expect(new Set(answers.map(({ headers }) => headers['x-replica'])).size).toBe(2);
    const other = await topology.visitor('127.0.0.10');
    expect((await new Browser(other).post('/svc/auth/logout')).status).toBe(204);
  });

  it('413 | /svc/auth/ | in the words of the service, not of nginx', async () => {
    const answer = await new Browser(await topology.visitor('127.0.0.11')).post(
      '/svc/auth/login/options',
      { padding: 'x'.repeat(20_000) },
    );
    expect(answer.status).toBe(413);
    expect(answer.json()['error']).toEqual(expect.any(String));
  });

  it('gives a request the id that both logs have, whatever the visitor calls it', async () => {
    const answer = await get('/svc/auth/me', { 'x-request-id': 'of-my-own' });
    const id = answer.headers['x-request-id'];
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    await eventually(async () => {
      expect((await topology.hops()).map(({ request }) => request)).toContain(id);
    });
  });

  it('logs neither queries nor anything secret', async () => {
    const visitor = await topology.visitor('127.0.0.12');
    const client = await OAuthClient.register(visitor);
    const answer = await new Browser(visitor).get(client.authorizePath());
    expect(answer.status).toBe(200);
    const hops = await eventually(async () => {
      const all = await topology.hops();
      expect(all.map(({ path }) => path)).toContain('/svc/oauth/authorize');
      return all;
    });
    const log = JSON.stringify(hops);
    expect(log).not.toContain(client.state);
    expect(log).not.toContain(client.id);
  });
});
