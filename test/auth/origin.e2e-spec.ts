import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { exchange, requestHead } from '../support/http.js';

const ME = '/svc/auth/me';
const LOGIN_OPTIONS = '/svc/auth/login/options';
const REGISTER_VERIFY = '/svc/auth/register/verify';

describe('the origin of a request (contract: Origin)', () => {
  const gatehouse = useGatehouse();

  describe('421 plain text for an origin that is not served', () => {
    const paths = [
      ['GET', ME],
      ['GET', '/'],
      ['GET', '/svc/auth/unknown'],
      ['GET', '/svc/oauth/authorize'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['POST', LOGIN_OPTIONS],
      ['POST', '/svc/auth/logout'],
      ['DELETE', '/svc/me/apps/x'],
      ['OPTIONS', '/svc/mcp'],
    ] as const;

    it.each(paths)('%s %s', async (method, path) => {
      const browser = new Browser({ port: gatehouse.port, origin: 'http://evil-marker.example' });
      const answer = await browser.send(method, path, method === 'POST' ? '{' : undefined);
      expect(answer.status).toBe(421);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.text).not.toMatch(/evil|marker/i);
      expect(answer.text).not.toBe('');
    });

    it.each(['localhost.evil.example', '10.0.0.1', '[::]', 'evil.example:443', 'xn--lcalhost-z0a'])(
      'Host: %s',
      async (host) => {
        const answer = await new Browser(gatehouse).get(ME, { host });
        expect(answer.status).toBe(421);
        expect(answer.text).not.toContain(host);
      },
    );
  });

  describe('400 plain text for a request that does not say where it goes', () => {
    const own = 'Host: localhost';
    const refused = async (head: string) => {
      const answer = await exchange(gatehouse.port, head);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toMatch(/a\.test|evil/);
      return answer;
    };

    it.each([
      ['no Host', requestHead(`GET ${ME} HTTP/1.0`)],
      ['two Host headers', requestHead(`GET ${ME} HTTP/1.1`, own, own)],
      ['a foreign Host besides', requestHead(`GET ${ME} HTTP/1.1`, own, 'Host: evil.example')],
      ['an absolute target', requestHead(`GET http://localhost${ME} HTTP/1.1`, own)],
      ['a foreign absolute target', requestHead(`GET http://a.test${ME} HTTP/1.1`, own)],
      ['OPTIONS *', requestHead('OPTIONS * HTTP/1.1', own)],
    ])('%s', async (_what, head) => {
      const { headers } = await refused(head);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-type']).toMatch(/^text\/plain/);
    });

    it('no Host in HTTP/1.1, where the parser refuses already', async () => {
      await refused(requestHead(`GET ${ME} HTTP/1.1`));
    });

    it.each([
      '',
      'a.test:80@b',
      'localhost#x',
      'localhost, evil.example',
      'localhost:8080:80',
      ':80',
      '::1',
      '[::1]x',
      '0177.0.0.1',
      'a.test<script>',
    ])('Host: "%s"', async (host) => {
      const { headers } = await refused(requestHead(`GET ${ME} HTTP/1.1`, `Host: ${host}`));
      expect(headers['cache-control']).toBe('no-store');
    });
  });

  describe('without PUBLIC_ORIGINS every loopback host on any port is served', () => {
    it.each([
      ['LocalHost', 'localhost'],
      ['b.a.localhost:1', 'b.a.localhost'],
      ['127.255.0.9:65535', '127.255.0.9'],
      ['[::1]:3000', '[::1]'],
    ])('Host: %s', async (host, rpId) => {
      const answer = await new Browser(gatehouse).post(LOGIN_OPTIONS, {}, { host });
      expect([answer.status, answer.json()['rpId']]).toEqual([200, rpId]);
    });

    it.each(['http://x.localhost', 'http://[::1]'])('people sign up and in at %s', async (site) => {
      const browser = new Browser({ port: gatehouse.port, origin: `${site}:${gatehouse.port}` });
      expect((await browser.signUp('Ann')).status).toBe(200);
      browser.cookie = undefined;
      expect((await browser.signIn()).status).toBe(200);
      expect((await browser.me()).user).toMatchObject({ displayName: 'Ann' });
    });

    it('the default port is no part of the origin', async () => {
      const headers = { host: 'localhost:80', origin: 'http://localhost' };
      expect((await new Browser(gatehouse).post(LOGIN_OPTIONS, {}, headers)).status).toBe(200);
    });
  });

  describe('what was made on one origin is refused on another', () => {
    let browser: Browser;

    /** Other origins of this very process. */
    const others = ['http://a.localhost:0', 'http://localhost:1'];
    const elsewhere = (other: string) => {
      const origin = other.replace(/:0$/, `:${gatehouse.port}`);
      return new Browser({ port: gatehouse.port, origin }, browser.authenticator);
    };

    beforeEach(() => {
      browser = new Browser(gatehouse);
    });

    it.each(others)('a session at %s, where it cannot be ended either', async (other) => {
      await browser.signUp();
      const visitor = elsewhere(other);
      visitor.cookie = browser.cookie;
      expect(await visitor.me()).toEqual({ user: null, budget: null });
      expect((await visitor.post('/svc/auth/logout')).status).toBe(204);
      expect((await browser.me()).user).toMatchObject({ displayName: 'Ann' });
    });

    it.each(others)('a registration challenge at %s, where it is used up', async (other) => {
      const response = await browser.attest();
      const answer = await elsewhere(other).post(REGISTER_VERIFY, response);
      expect([answer.status, answer.json()['error']]).toEqual([
        400,
        expect.stringContaining('start again'),
      ]);
      expect((await browser.post(REGISTER_VERIFY, response)).status).toBe(400);
    });

    it.each(others)('a sign-in challenge at %s, where it is used up', async (other) => {
      await browser.signUp();
      const response = await browser.assert();
      expect((await elsewhere(other).post('/svc/auth/login/verify', response)).status).toBe(400);
      expect((await browser.post('/svc/auth/login/verify', response)).status).toBe(400);
    });

    it('a response that was made for another origin', async () => {
      const overrides = { origin: 'http://localhost:1' };
      expect((await browser.signUp('Ann', { overrides })).status).toBe(400);
      expect((await browser.signUp('Ann')).status).toBe(200);
      expect((await browser.signIn({ overrides })).status).toBe(400);
    });
  });
});
