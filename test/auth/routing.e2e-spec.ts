import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

const POST_ROUTES = [
  'register/options',
  'register/verify',
  'login/options',
  'login/verify',
  'logout',
].map((route) => `/svc/auth/${route}`);

describe('routes under /svc/auth/ (contract: Accounts)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ RATE_LIMIT_MAX: '1000' }));
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
  });

  it('417 | everywhere | Expect is not 100-continue | the headers of every answer', async () => {
    for (const path of ['/svc/auth/me', '/svc/mcp', '/']) {
      const { status, headers } = await browser.send('GET', path, undefined, { expect: 'tea' });
      expect([path, status]).toEqual([path, 417]);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
      });
    }
    const heard = { expect: '100-continue' };
    expect((await browser.send('GET', '/svc/auth/me', undefined, heard)).status).toBe(200);
  });

  it('431 | everywhere | more than 128 header fields', async () => {
    const fields = Array.from({ length: 125 }, (_, n) => [`x-${n}`, 'a']);
    for (const path of ['/svc/auth/me', '/svc/mcp', '/svc/me/tabs', '/']) {
      const many = Object.fromEntries([...fields, ...fields.map(([name]) => [`${name}-2`, ''])]);
      expect([path, (await browser.send('GET', path, undefined, many)).status]).toEqual([
        path,
        431,
      ]);
    }
    const few = Object.fromEntries(fields.slice(0, 100));
    expect((await browser.send('GET', '/svc/auth/me', undefined, few)).status).toBe(200);
  });

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
      await browser.agent
        .get(path)
        .expect(404, { error: 'not found' })
        .expect('cache-control', 'no-store');
    });

    it('comes before every other check', async () => {
      const foreign = { origin: 'https://evil.example' };
      await browser.agent.post('/svc/auth/unknown').set(foreign).send({}).expect(404);
    });
  });

  it.each(['/svc', '/svc/', '/svc/auth', '/svc/authx', '/favicon.ico', '/%'])(
    'does not handle %s',
    async (path) => {
      await browser.agent
        .get(path)
        .expect(404)
        .expect('content-type', /^text\/plain/);
    },
  );

  // supertest would omit the fragment.
  it.each(['/svc/auth/me#x', '//evil/svc/auth/me#/svc/auth/me', '//a@[#'])(
    'refuses a target with a fragment: %s',
    async (path) => {
      const answer = await browser.send('GET', path);
      expect(answer.status).toBe(400);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it('answers in full whatever the request is conditional on', async () => {
    const me = browser.agent.get('/svc/auth/me').set('if-none-match', '*');
    await me.expect(200, { user: null, budget: null });
  });

  describe('405 | /svc/auth/* | wrong method | names the required method; header Allow', () => {
    const routes: [string, string, string][] = [
      ['/svc/auth/me', 'GET', 'POST'],
      ...POST_ROUTES.map((path): [string, string, string] => [path, 'POST', 'GET']),
    ];

    it.each(routes)('%s takes %s alone', async (path, allowed, other) => {
      for (const method of [other, 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']) {
        const answer = await browser.send(method, path);
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allowed]);
        expect(answer.json()['error']).toContain(allowed);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
      expect((await browser.send('HEAD', path)).status).toBe(405);
    });

    it('comes before the origin check', async () => {
      const foreign = { origin: 'https://evil.example' };
      await browser.agent.get('/svc/auth/logout').set(foreign).expect(405);
    });
  });

  describe('403 | POST /svc/auth/* | Origin present and not the request’s origin | cross-origin request', () => {
    const error =
      'cross-origin request; a proxy that sets Referrer-Policy: no-referrer can cause it';

    it.each(POST_ROUTES)('POST %s', async (path) => {
      for (const origin of ['https://evil.example', 'null', '', 'http://localhost']) {
        await browser.agent
          .post(path)
          .set({ origin })
          .send({})
          .expect(403, { error })
          .expect('cache-control', 'no-store');
      }
    });

    it('comes before the body is looked at', async () => {
      const foreign = { origin: 'https://evil.example' };
      const post = browser.agent.post('/svc/auth/login/options').set(foreign);
      await post.send('x'.repeat(20_000)).expect(403);
    });

    it('is not given for an own or an absent Origin', async () => {
      const { origin } = gatehouse;
      await browser.agent.post('/svc/auth/login/options').set({ origin }).send({}).expect(200);
      await browser.agent.post('/svc/auth/login/options').send({}).expect(200);
    });

    it('does not concern me', async () => {
      const me = browser.agent.get('/svc/auth/me').set('origin', 'https://evil.example');
      await me.expect(200, { user: null, budget: null });
    });
  });
});
