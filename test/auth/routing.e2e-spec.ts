import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const POST_ROUTES = [
  'register/options',
  'register/verify',
  'login/options',
  'login/verify',
  'logout',
].map((route) => `/svc/auth/${route}`);

describe('routes under /svc/auth/ (contract: Accounts)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ RATE_LIMIT_MAX: '1000' });
    browser = new Browser(gatehouse);
  });
  afterAll(() => gatehouse.stop());

  describe('404 | /svc/auth/<unknown> | route not among the six | not found', () => {
    it.each([
      '/svc/auth/',
      '/svc/auth/unknown',
      '/svc/auth/me/',
      '/svc/auth/ME',
      '/svc/auth/%6De',
      '/svc/auth/me%00',
      '/svc/auth/%',
      '/svc/auth//me',
      '/svc/auth/register',
      '/svc/auth/register/options/',
      '/svc/auth/register/options/x',
      '/svc/auth/__proto__',
      `/svc/auth/${'x'.repeat(4000)}`,
    ])('%s', async (path) => {
      const answer = await browser.get(path);
      expect([answer.status, answer.json()]).toEqual([404, { error: 'not found' }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('comes before every other check', async () => {
      const answer = await browser.post('/svc/auth/unknown', '{', {
        origin: 'https://evil.example',
      });
      expect(answer.status).toBe(404);
    });
  });

  it.each(['/', '/svc', '/svc/', '/svc/auth', '/svc/authx', '/favicon.ico', '/%'])(
    'does not handle %s',
    async (path) => {
      const answer = await browser.get(path);
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    },
  );

  it.each(['/svc/auth/me#x', '//evil/svc/auth/me#/svc/auth/me', '//a@[#'])(
    'refuses a target with a fragment: %s',
    async (path) => {
      const answer = await browser.get(path);
      expect(answer.status).toBe(400);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it('answers in full whatever the request is conditional on', async () => {
    const answer = await browser.get('/svc/auth/me', { 'if-none-match': '*' });
    expect([answer.status, answer.json()]).toEqual([200, { user: null, budget: null }]);
  });

  describe('405 | /svc/auth/* | wrong method | names the required method; header Allow', () => {
    const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'TRACE'];
    const wrong = [
      ...[...methods, 'POST'].map((method) => [method, '/svc/auth/me', 'GET'] as const),
      ...POST_ROUTES.flatMap((path) =>
        [...methods, 'GET'].map((method) => [method, path, 'POST'] as const),
      ),
    ];

    it.each(wrong)('%s %s', async (method, path, allowed) => {
      const answer = await browser.send(method, path);
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe(allowed);
      expect(answer.json()['error']).toContain(allowed);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it.each(['/svc/auth/me', ...POST_ROUTES])('HEAD %s', async (path) => {
      expect((await browser.send('HEAD', path)).status).toBe(405);
    });

    it('comes before the origin check', async () => {
      const foreign = { origin: 'https://evil.example' };
      expect((await browser.get('/svc/auth/logout', foreign)).status).toBe(405);
    });
  });

  describe('403 | POST /svc/auth/* | Origin present and not the request’s origin | cross-origin request', () => {
    const origins = ['https://evil.example', 'null', '', 'http://localhost', 'http://LOCALHOST:1'];

    it.each(POST_ROUTES.flatMap((path) => origins.map((origin) => [path, origin])))(
      'POST %s from "%s"',
      async (path, origin) => {
        const answer = await browser.post(path, {}, { origin });
        expect(answer.status).toBe(403);
        expect(answer.json()).toEqual({ error: 'cross-origin request' });
        expect(answer.headers['cache-control']).toBe('no-store');
      },
    );

    it('comes before the body is looked at', async () => {
      const answer = await browser.post('/svc/auth/login/options', 'x'.repeat(20_000), {
        origin: 'https://evil.example',
      });
      expect(answer.status).toBe(403);
    });

    it('is not given for an own or an absent Origin', async () => {
      const { origin } = gatehouse;
      expect((await browser.post('/svc/auth/login/options', {}, { origin })).status).toBe(200);
      expect((await browser.post('/svc/auth/login/options', {})).status).toBe(200);
    });

    it('does not concern me', async () => {
      const answer = await browser.get('/svc/auth/me', { origin: 'https://evil.example' });
      expect([answer.status, answer.json()]).toEqual([200, { user: null, budget: null }]);
    });
  });
});
