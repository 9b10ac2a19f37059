import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';

const ROUTES = ['register/options', 'register/verify', 'login/options', 'login/verify'].map(
  (route) => `/svc/auth/${route}`,
);
const LOGIN_OPTIONS = '/svc/auth/login/options';
const LIMIT = 16_384;

/** A JSON object of exactly that many bytes. */
const objectOf = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;

describe('bodies under /svc/auth/ (contract: Accounts)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  const send = (path: string, body: string | Buffer | Buffer[], headers = {}) =>
    call(gatehouse.port, {
      method: 'POST',
      path,
      headers: { host: new URL(gatehouse.origin).host, ...headers },
      body,
    });

  beforeAll(async () => {
    browser = new Browser(gatehouse);
  });

  describe('400 | any POST under /svc/auth/ | body not JSON | body must be JSON', () => {
    it.each([
      ['broken JSON', '{"a":'],
      ['a byte order mark of UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ])('%s', async (_what, body) => {
      const answers = await Promise.all(ROUTES.map((path) => send(path, body)));
      for (const answer of answers) {
        expect([answer.status, answer.json()]).toEqual([400, { error: 'body must be JSON' }]);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    });
  });

  describe('400 | any POST under /svc/auth/ | body JSON but not an object | body must be a JSON object', () => {
    it.each(['[]', 'null', '['.repeat(8000) + ']'.repeat(8000)])('%.20s', async (body) => {
      const answers = await Promise.all(ROUTES.map((path) => send(path, body)));
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect(answer.json()).toEqual({ error: 'body must be a JSON object' });
      }
    });
  });

  describe('413 | POST /svc/auth/* | body over 16384 bytes | request too large', () => {
    it.each(ROUTES)('%s', async (path) => {
      const answer = await send(path, objectOf(LIMIT + 1));
      expect([answer.status, answer.json()]).toEqual([413, { error: 'request too large' }]);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('16384 bytes are taken', async () => {
      expect((await send(LOGIN_OPTIONS, objectOf(LIMIT))).status).toBe(200);
    });

    it('counts bytes, not characters', async () => {
      const body = `{"pad":"${'\u20ac'.repeat(6000)}"}`;
      expect(body.length).toBeLessThan(LIMIT);
      expect((await send(LOGIN_OPTIONS, body)).status).toBe(413);
    });

    it('counts a chunked body as well', async () => {
      const chunks = (bytes: number) =>
        objectOf(bytes)
          .match(/.{1,100}/g)
          ?.map((c) => Buffer.from(c)) ?? [];
      expect((await send(LOGIN_OPTIONS, chunks(LIMIT))).status).toBe(200);
      expect((await send(LOGIN_OPTIONS, chunks(LIMIT + 1))).status).toBe(413);
    });

    it('answers at once when the body goes on and on, and serves the next request', async () => {
      const megabytes = Array.from({ length: 64 }, () => Buffer.alloc(65_536, 'x'));
      expect((await send(LOGIN_OPTIONS, megabytes)).status).toBe(413);
      expect((await send(LOGIN_OPTIONS, '{}')).status).toBe(200);
    });
  });

  it('an empty body counts as {}', async () => {
    expect((await send(LOGIN_OPTIONS, '')).status).toBe(200);
    expect((await send('/svc/auth/register/options', '')).json()).toEqual({
      error: expect.stringContaining('displayName'),
    });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'no/such; ='])(
    'the Content-Type %s does not matter',
    async (type) => {
      expect((await send(LOGIN_OPTIONS, '{}', { 'content-type': type })).status).toBe(200);
    },
  );

  it('members of a prototype are no members of the body', async () => {
    const body = '{"__proto__":{"displayName":"Eve"},"constructor":{"displayName":"Eve"}}';
    expect((await send('/svc/auth/register/options', body)).status).toBe(400);
  });

  it('nesting of 8000 levels is refused like any other wrong value', async () => {
    const nested = `{"displayName":${'['.repeat(8000)}${']'.repeat(8000)}}`;
    expect((await send('/svc/auth/register/options', nested)).status).toBe(400);
    const response = `{"id":"x","response":${'{"a":'.repeat(2700)}1${'}'.repeat(2700)}}`;
    expect((await send('/svc/auth/register/verify', response)).status).toBe(400);
    expect((await send('/svc/auth/login/verify', response)).status).toBe(400);
  });

  it('logout looks at no body', async () => {
    const answer = await browser.post('/svc/auth/logout', 'x'.repeat(20_000));
    expect([answer.status, answer.text]).toEqual([204, '']);
  });
});
