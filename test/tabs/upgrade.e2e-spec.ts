import { once } from 'node:events';
import { connect } from 'node:net';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { exchange, type RawAnswer } from '../support/http.js';
import { TabClient } from '../support/tab-client.js';

const PATH = '/svc/me/tabs';
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const WEBSOCKET = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];

describe('the way into the tab hub (contract: Tab hub)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let host: string;
  let signedIn: string[];

  const send = (requestLine: string, ...headers: string[]): Promise<RawAnswer> =>
    exchange(gatehouse.port, [`${requestLine} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  const isPlain = (answer: RawAnswer) => {
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).not.toBe('');
  };

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    host = `Host: localhost:${gatehouse.port}`;
    signedIn = [host, `Cookie: ${browser.cookie}`];
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])(
    '%s is 405, signed in or not, upgrade or not',
    async (method) => {
      const upgrade = [...signedIn, ...WEBSOCKET.slice(1), 'Connection: Upgrade, close', KEY];
      for (const headers of [[host, 'Connection: close'], upgrade]) {
        const answer = await send(`${method} ${PATH}`, ...headers, 'Content-Length: 0');
        expect(answer.status).toBe(405);
        expect(answer.headers['allow']).toBe('GET');
        if (method !== 'HEAD') isPlain(answer);
      }
    },
  );

  it('a GET that is no upgrade is 401 signed out and 426 signed in', async () => {
    const out = await new Browser(gatehouse).get(PATH);
    expect([out.status, out.headers['content-type']]).toEqual([
      401,
      expect.stringMatching(/^text\/plain/),
    ]);
    const answer = await browser.get(PATH);
    expect(answer.status).toBe(426);
    expect(answer.headers).toMatchObject({
      upgrade: 'websocket',
      connection: 'Upgrade',
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^text\/plain/),
    });
  });

  it.each([
    ['no cookie', () => [host]],
    ['an unknown token', () => [host, `Cookie: session=${'A'.repeat(43)}`]],
    ['a foreign Origin', () => [...signedIn, 'Origin: https://evil.example']],
    ['Origin null', () => [...signedIn, 'Origin: null']],
    ['a same-site page', () => [...signedIn, 'Sec-Fetch-Site: same-site']],
    ['another of our own ports', () => [...signedIn, 'Origin: http://localhost:1']],
  ])('an upgrade with %s is 401 in plain text, and the connection ends', async (_what, headers) => {
    const answer = await send(`GET ${PATH}`, ...headers(), ...WEBSOCKET, KEY);
    expect(answer.status).toBe(401);
    expect(answer.headers['connection']).toBe('close');
    isPlain(answer);
  });

  it.each([
    ['its own Origin', () => [`Origin: ${gatehouse.origin}`]],
    ['Sec-Fetch-Site same-origin', () => ['Sec-Fetch-Site: same-origin']],
    ['neither', () => []],
  ])('an upgrade with a session and %s is welcomed', async (_what, headers) => {
    const pairs = headers().map((line) => line.split(': ') as [string, string]);
    const tab = await TabClient.open(gatehouse, browser, { headers: Object.fromEntries(pairs) });
    expect(tab.socket.extensions).toBe('');
    await tab.close();
  });

  it.each([
    ['no key', [...WEBSOCKET]],
    ['a short key', [...WEBSOCKET, 'Sec-WebSocket-Key: abc']],
    ['version 8', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 8', KEY]],
    ['no version', ['Connection: Upgrade', 'Upgrade: websocket', KEY]],
    ['a broken subprotocol', [...WEBSOCKET, KEY, 'Sec-WebSocket-Protocol: a,,b']],
  ])('an upgrade with %s is 400 in plain text', async (_what, headers) => {
    const answer = await send(`GET ${PATH}`, ...signedIn, ...headers);
    expect(answer.status).toBe(400);
    expect(answer.headers['connection']).toBe('close');
    isPlain(answer);
  });

  it('an upgrade for an origin that is not served is 421, without Host 400', async () => {
    const foreign = await send(`GET ${PATH}`, 'Host: gate.example', ...WEBSOCKET, KEY);
    expect(foreign.status).toBe(421);
    expect((await send(`GET ${PATH}`, 'Host: a b', ...WEBSOCKET, KEY)).status).toBe(400);
  });

  it('other paths and protocols are requests like any other', async () => {
    const h2c = ['Connection: Upgrade, close', 'Upgrade: h2c'];
    expect((await send('GET /svc/auth/me', host, ...h2c)).status).toBe(200);
    expect((await send(`GET ${PATH}`, ...signedIn, ...h2c)).status).toBe(426);
    const close = ['Connection: Upgrade, close', 'Upgrade: websocket', KEY];
    expect((await send('GET /svc/auth/me', ...signedIn, ...close)).status).toBe(200);
    expect((await send('GET /', ...signedIn, ...close)).status).toBe(302);
    for (const path of [`${PATH}/`, '/svc/me/Tabs', '/svc/me/tabs/x', '//svc/me/tabs']) {
      expect((await send(`GET ${path}`, ...signedIn, ...close)).status).toBe(404);
    }
    const body = ['Content-Length: 2', '', '{}'].join('\r\n');
    const post = ['POST /svc/auth/login/options HTTP/1.1', host, ...close, body].join('\r\n');
    expect((await exchange(gatehouse.port, post)).status).toBe(200);
  });

  it('a query does not matter', async () => {
    const answer = await send(`GET ${PATH}?since=1`, host, ...WEBSOCKET, KEY);
    expect(answer.status).toBe(401);
  });

  it('after tabs that sent far too much is 429 for longer', async () => {
    const ann = new Browser(gatehouse);
    await ann.signUp();
    const tabs = await Promise.all(
      Array.from({ length: 12 }, async () => TabClient.open(gatehouse, ann)),
    );
    for (const tab of tabs) for (let n = 0; n < 700; n += 1) tab.say('ping');
    await Promise.all(tabs.map(({ closed }) => closed));
    const answer = await send(`GET ${PATH}`, host, `Cookie: ${ann.cookie}`, ...WEBSOCKET);
    expect(answer.status).toBe(429);
    await (await TabClient.open(gatehouse, browser)).close();
  });

  it('more than 128 at once of an account are 429 with Retry-After, and others go on', async () => {
    const ann = new Browser(gatehouse);
    await ann.signUp();
    const tab = await TabClient.open(gatehouse, ann);
    const knock = () => send(`GET ${PATH}`, host, `Cookie: ${ann.cookie}`, ...WEBSOCKET);
    const answers = await Promise.all(Array.from({ length: 200 }, knock));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(127);
    expect(refused).not.toEqual([]);
    for (const answer of refused) {
      isPlain(answer);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await tab.settle();
    await (await TabClient.open(gatehouse, browser)).close();
    await eventually(async () => (await TabClient.open(gatehouse, ann)).close());
    await tab.close();
  });

  it('connections that break off or send too much at once harm no other', async () => {
    const head = (...headers: string[]) =>
      [`GET ${PATH} HTTP/1.1`, ...headers, ...WEBSOCKET, KEY, '', ''].join('\r\n');
    const me = ['GET /svc/auth/me HTTP/1.1', host, '', ''].join('\r\n');
    for (const bytes of [head(...signedIn), head(host), me + head(...signedIn), head(host) + me]) {
      for (const end of ['end', 'resetAndDestroy', 'destroy'] as const) {
        const socket = connect(gatehouse.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(bytes, () => socket[end]());
        socket.resume();
        await once(socket, 'close');
      }
    }
    expect((await browser.get('/svc/auth/me')).status).toBe(200);
  });
});
