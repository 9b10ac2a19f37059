import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { ADMIN_TOKEN, AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { askManagement } from '../support/management.js';

const ANY = `Bearer ${ADMIN_TOKEN}`;
const REALM = { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' };

describe('administration over HTTP (contract: Administration)', () => {
  const gatehouse = useGatehouse(() =>
    startAdministered({ MANAGEMENT_ALLOWED_HOSTS: 'replica-1' }),
  );
  let api: AdminApi;
  let browser: Browser;
  let id: string;

  const ask = (path: string, headers: Record<string, string | string[]>, method = 'GET') =>
    call(api.port, { method, path, headers });

  beforeAll(async () => {
    api = new AdminApi(gatehouse);
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('is at the address that the test kit has', async () => {
    const headers = { authorization: ANY };
    const answer = await fetch(`${gatehouse.managementOrigin}/admin/users/${id}`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([200, { id }]);
  });

  it('answers a request with the token, and forbids storing the answer', async () => {
    const answer = await api.get(`users/${id}`);
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ id })]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    });
    const head = await api.send('HEAD', `users/${id}`);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each([
    ['no token', {}],
    ['another token', { authorization: `Bearer ${ADMIN_TOKEN.replace('c', 'd')}` }],
    ['two of them', { authorization: [ANY, ANY] }],
    ['one in a cookie', { cookie: `ADMIN_TOKEN=${ADMIN_TOKEN}` }],
  ])('401 | everywhere under /admin/ | %s', async (_what, headers) => {
    const paths = ['/admin', '/admin/', '/admin/openapi.json', `/admin/users/${id}`, '/admin/x'];
    for (const path of [...paths, `/admin/users?access_token=${ADMIN_TOKEN}`]) {
      const answer = await ask(path, headers);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers).toMatchObject(REALM);
      expect(answer.json()).toEqual({ error: 'send ADMIN_TOKEN as a bearer token' });
    }
    const refused = await ask(`/admin/users/${id}/sign-out`, headers, 'POST');
    expect(refused.status).toBe(401);
    expect((await browser.me()).user).not.toBeNull();
  });

  it('401 | guesses are counted, and written down as those of one network', async () => {
    const admin = new Admin(gatehouse);
    const guesses = Array.from({ length: 40 }, (_, n) => `Bearer ${'x'.repeat(32)}${n}`);
    await Promise.all(guesses.map((authorization) => ask('/admin/users', { authorization })));
    await eventually(async () => {
      const { items } = await admin.json<{ items: { network: string }[] }>(
        'audit',
        'list',
        '--type',
        'admin-token-refused',
      );
      expect(items.length).toBeGreaterThan(4);
      expect(items.length).toBeLessThan(8);
      expect(items[0]).toMatchObject({ network: expect.any(String), request: expect.any(String) });
    });
  });

  it('421 | any other name, with the token or without it, and each is counted', async () => {
    for (const headers of [{}, { authorization: ANY }] as Record<string, string>[]) {
      for (const path of ['/admin', '/admin/users', '/admin/openapi.json']) {
        const refused = await ask(path, { host: 'evil.example', ...headers });
        expect(refused.status).toBe(421);
        expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
    await eventually(async () => {
      const samples = parseMetrics((await askManagement(gatehouse, '/metrics')).text);
      const name = 'gatehouse_admin_request_duration_seconds_count';
      expect(valueOf(samples, name, { route: 'none', status: '421' })).toBe(6);
    });
    const named = await ask('/admin/users', { host: 'replica-1:9090', authorization: ANY });
    expect(named.status).toBe(200);
  });

  it.each(['', 'x', 'users/', 'users/%', 'users/a/b', 'users/%00', 'Users', 'constructor'])(
    '404 | /admin/%s | there is no such path',
    async (path) => {
      expect((await api.get(path)).status).toBe(404);
    },
  );

  it('404 | an unknown id', async () => {
    for (const path of [
      'users/no-such-id',
      'clients/no-such-id',
      'budgets/no-such-id',
      'apps?user=no-such-id',
    ]) {
      expect([path, (await api.get(path)).status]).toEqual([path, 404]);
    }
    for (const path of [
      'users/no-such-id/disable',
      'users/no-such-id/enable',
      'users/no-such-id/sign-out',
      'users/no-such-id/recover',
      'clients/no-such-id/rotate-secret',
      'clients/no-such-id/block',
      'clients/no-such-id/unblock',
      'redirect-hosts/app.example/unblock',
      'apps/no-such-id/revoke',
      'budgets/no-such-id/reset',
    ]) {
      expect([path, (await api.post(path)).status]).toEqual([path, 404]);
    }
    for (const path of ['users/no-such-id', 'clients/no-such-id', 'invites/no-such-id']) {
      expect([path, (await api.send('DELETE', path)).status]).toEqual([path, 404]);
    }
    expect((await api.get('users?after=no-such-id')).status).toBe(404);
  });

  it('405 | a method that there is not, with those that there are', async () => {
    const answer = await api.send('PATCH', `users/${id}`);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'DELETE, GET, HEAD']);
    expect((await api.get(`users/${id}/disable`)).headers['allow']).toBe('POST');
  });

  it.each([
    ['limit=0'],
    ['limit=1001'],
    ['limit=1e2'],
    ['limit=5&limit=5'],
    ['search='],
    [`search=${'x'.repeat(201)}`],
    ['search=%00'],
    ['sort=name'],
  ])('400 | users?%s', async (query) => {
    const answer = await api.get(`users?${query}`);
    expect([answer.status, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    expect(answer.text).not.toContain('1e2');
  });

  it.each([
    ['POST', 'clients', '{'],
    ['POST', 'clients', '[]'],
    ['POST', 'clients', {}],
    ['POST', 'clients', { name: 'x', redirectUris: [] }],
    ['POST', 'clients', { name: 'x', redirectUris: ['http://app.example/'] }],
    ['POST', 'clients', { name: 7, redirectUris: ['https://app.example/'] }],
    ['POST', 'clients', { name: 'x\u0000', redirectUris: ['https://app.example/'] }],
    ['POST', 'clients', { name: 'x', redirectUris: ['https://app.example/'], auth: 'jwt' }],
    ['POST', 'clients', { name: 'x', redirectUris: ['https://app.example/'], id: 'mine' }],
    ['POST', 'clients', '{"name":"x","redirectUris":["https://app.example/"],"__proto__":{}}'],
    ['POST', 'clients', { name: 'x', redirectUris: ['https://app.example/'], constructor: {} }],
    ['POST', 'clients', { name: 'x', redirectUris: 'https://app.example/' }],
    ['POST', 'clients', { name: 'x', redirectUris: ['https://app.example/', 7] }],
    ['POST', 'clients', { name: ['x'], redirectUris: ['https://app.example/'] }],
    ['POST', 'redirect-hosts/app.example%2Fx/block', undefined],
    ['POST', 'users/ID/recover', { origin: 'gate.example' }],
    ['POST', 'users/ID/recover', { origin: null }],
    ['POST', 'users/ID/recover', { origin: ['https://gate.example'] }],
    ['POST', 'users/ID/disable', { user: 'x' }],
    ['POST', 'users/ID/disable', '{'],
    ['PUT', 'budgets/ID', {}],
    ['PUT', 'budgets/ID', { credits: -1 }],
    ['PUT', 'budgets/ID', { credits: 1.5 }],
    ['PUT', 'budgets/ID', { credits: '5' }],
    ['PUT', 'budgets/ID', { credits: 1_000_000_001 }],
    ['POST', 'invites', { uses: 0 }],
    ['POST', 'invites', { uses: '5' }],
    ['POST', 'invites', { expires: 5 }],
    ['POST', 'invites', { expires: null }],
    ['POST', 'invites', { expires: 'soon' }],
    ['POST', 'invites', { expires: '2020-01-01' }],
  ])('400 | %s %s | %j: nothing is changed', async (method, path, body) => {
    const answer = await api.send(method, path.replace('ID', id), body);
    expect([answer.status, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    expect((await api.get('clients')).json()).toMatchObject({ items: [] });
    expect((await browser.me()).budget).toMatchObject({ limit: 1000 });
  });

  it('404 | the public routes are not on this listener', async () => {
    for (const path of ['/', '/svc/auth/me', '/svc/mcp', '/svc/admin/users', '/administration']) {
      expect([path, (await ask(path, { authorization: ANY })).status]).toEqual([path, 404]);
    }
  });

  it('400 | a body that is nested more than 32 levels deep', async () => {
    const nested = (levels: number) => `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const [levels, message] of [
      [31, expect.not.stringContaining('nested')],
      [32, 'body is nested too deeply'],
      [8000, 'body is nested too deeply'],
    ] as const) {
      const answer = await api.post('clients', nested(levels));
      expect([answer.status, answer.json()]).toEqual([400, { error: message }]);
    }
  });

  it.each([[[['https://app.example/']]], [[7]], [[null]]])(
    '400 | redirect URIs that are no texts: %j',
    async (redirectUris) => {
      const answer = await api.post('clients', { name: 'Robot', redirectUris });
      const error = 'redirectUris takes a list of texts';
      expect([answer.status, answer.json()]).toEqual([400, { error }]);
    },
  );

  it('413 | a body of more than 16 KiB', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(17_000) });
    expect((await api.post('clients', body)).status).toBe(413);
    const chunks = [body.slice(0, 9000), body.slice(9000)];
    const headers = { authorization: ANY };
    const answer = await call(api.port, {
      method: 'POST',
      path: '/admin/clients',
      headers,
      body: chunks,
    });
    expect(answer.status).toBe(413);
  });

  it('is not there without ADMIN_TOKEN, nor on the public listener', async () => {
    const other = await startGatehouse({ MANAGEMENT_PORT: '0' });
    const paths = ['/admin', '/admin/users', '/admin/openapi.json'];
    const { port } = new AdminApi(other);
    for (const path of paths) {
      const answer = await call(port, { method: 'GET', path, headers: { authorization: ANY } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    await other.stop();
    for (const path of paths) {
      const answer = await browser.get(path, { authorization: ANY });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
