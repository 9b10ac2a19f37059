import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

const TYPES = {
  '/svc/bridge.js': 'text/javascript; charset=utf-8',
  '/svc/client.js': 'text/javascript; charset=utf-8',
  '/svc/client.d.ts': 'application/typescript; charset=utf-8',
};

describe.each(Object.entries(TYPES))('%s (contract: Page client)', (path, type) => {
  const gatehouse = useGatehouse(() => startGatehouse({ RATE_LIMIT_MAX: '6' }));
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
  });

  const ask = (headers = {}, method = 'GET') => browser.send(method, path, undefined, headers);

  it('is the same with and without a session, sets no cookie, and counts no visitor', async () => {
    const first = await ask();
    await browser.signUp();
    for (let count = 0; count < 10; count += 1) {
      const { status, headers, text } = await ask();
      expect([status, text]).toEqual([200, first.text]);
      expect(headers).toMatchObject({
        'content-type': type,
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-length': String(Buffer.byteLength(text)),
        etag: expect.stringMatching(/^"[\w-]{43}"$/),
      });
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).not.toHaveProperty('vary');
    }
    expect((await browser.send('GET', `${path}?x=1`)).text).toBe(first.text);
  });

  it('is one module or one file of declarations; the bridge imports that module', async () => {
    const { text } = await ask();
    const code = text.replaceAll(/\/\*.*?\*\//gs, '');
    const isBridge = path === '/svc/bridge.js';
    const imports = isBridge ? [`import { bridgeTools } from './client.js'`] : [];
    expect(code.match(/\bimport\b[^;]*|\brequire\(|sourceMappingURL/g) ?? []).toEqual(imports);
    const names = ['registerTool', 'hub', 'reviewRequest', 'signIn', 'signUp', 'Refusal'];
    for (const name of isBridge ? [] : ['bridgeTools', ...names]) expect(text).toContain(name);
  });

  it('304 | what a browser has is as it was', async () => {
    const { headers } = await ask();
    const etag = String(headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await ask({ 'if-none-match': known }, method);
        expect([again.status, again.text]).toEqual([304, '']);
        expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });
        expect(again.headers).not.toHaveProperty('content-type');
      }
    }
    const long = `${'"other", '.repeat(200)}${etag}`;
    for (const known of ['"other"', etag.slice(1, -1), '', etag.toUpperCase(), long]) {
      expect((await ask({ 'if-none-match': known })).status).toBe(200);
    }
  });

  it('HEAD has the headers alone', async () => {
    const [head, get] = [await ask({}, 'HEAD'), await ask()];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it.each(['POST', 'OPTIONS'])('405 | %s', async (method) => {
    const { status, headers, text } = await ask({ 'if-none-match': '*' }, method);
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toBe('this address takes GET only');
  });

  it.each(['/', '.map', '%00'])('404 | with %s behind it', async (behind) => {
    const headers = { 'if-none-match': '*' };
    const answer = await browser.send('GET', path + behind, undefined, headers);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
  });

  it('421 | of an origin that is not its own', async () => {
    expect((await ask({ host: 'evil.example' })).status).toBe(421);
  });
});

describe('what may not be kept (contract: Paths)', () => {
  it('is sent whole whatever a browser says that it has', async () => {
    const gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    const known = { 'if-none-match': '*' };
    for (const path of ['/svc/auth/me', '/svc/account', '/.well-known/passkey-endpoints']) {
      const { status, text } = await browser.send('GET', path, undefined, known);
      expect([status, text === '']).toEqual([200, false]);
    }
    await gatehouse.stop();
  });
});
