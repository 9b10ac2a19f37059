import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const AUTHORIZE = '/svc/oauth/authorize';
const TOKEN = '/svc/oauth/token';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const BATCH = 16;

/** Values that no parameter accepts. */
const ODD = [
  ['', ' ', '0', '-1', 'null', 'undefined', 'true', '[]', '{}', '[object Object]', '__proto__'],
  ['constructor', 'toString', '*', '%', '%00', '%ff', '%252e', '..', '../../etc/passwd', '//'],
  ['\u0000', '\u0001\u001f', '\t', '\r\nLocation: https://evil.example', '\n', '\u007f', '\b'],
  ['\u00e9', '\u{1f600}', '\u202e', '\ufeff', '\ufffd', '\u2028', 'ﬀ', '\u0130'],
  ['<script>alert(1)</script>', '"><img src=x>', "' OR 1=1 --", '${7*7}', '{{7*7}}', '`id`'],
  ['https://evil.example', 'https://evil.example/svc/mcp', 'javascript:alert(1)', 'data:,x'],
  ['http://127.0.0.1:5555@evil.example/cb', 'http://127.0.0.1:5555/cb/../x', '//evil.example'],
  ['https://127.0.0.1/client', 'https://localhost:1/client', 'urn:x', 'http://[::1', 'https://'],
  ['code', 'token', 'code token', 'none', 'login', 'S256', 'plain', 'query', 'fragment'],
  ['form_post', 'web_message', 'openid', 'offline_access', 'account:read', 'account:read  x'],
  ['authorization_code', 'refresh_token', 'password', 'client_credentials', 'x.y.z', 'e30.e30.'],
  ['a'.repeat(43), 'a'.repeat(128), 'a'.repeat(129), 'a'.repeat(600), 'é'.repeat(900)],
  ['a=b&c=d', 'a;b', 'a,b', '+', '%2B', '\\', '1e309', '9'.repeat(40), 'NaN', '2038-01-19'],
].flat();
const HUGE = 'h'.repeat(7_000);

const AUTHORIZE_PARAMETERS = (
  'client_id redirect_uri response_type scope state code_challenge code_challenge_method resource ' +
  'response_mode prompt request request_uri nonce max_age claims id_token_hint login_hint registration'
).split(' ');
const TOKEN_PARAMETERS = (
  'grant_type client_id client_secret code redirect_uri code_verifier refresh_token scope resource ' +
  'token token_type_hint client_assertion client_assertion_type assertion device_code subject_token'
).split(' ');

type Pairs = [string, string][];

/** A valid request with one parameter missing, replaced, duplicated or of another type. */
function* spoilt(good: Pairs, parameters: readonly string[]): Generator<string> {
  for (const name of parameters) {
    const others = good.filter(([other]) => other !== name);
    const own = good.filter(([other]) => other === name);
    const request = (...pairs: Pairs) => new URLSearchParams([...others, ...pairs]).toString();
    yield request();
    for (const value of [...ODD, HUGE]) {
      yield request([name, value]);
      yield request(...own, [name, value]);
    }
    for (const value of ODD.slice(0, 12)) {
      yield request([`${name}[]`, value]);
      yield request([name, value], [name, value]);
      yield request([name.toUpperCase(), value], ...own);
    }
    yield `${request()}&${name}`;
    yield `${request()}&${name}=%`;
    yield `${request()}&${name}=%ff%fe%zz`;
    yield `${request()}&=${name}`;
  }
}

describe('odd requests', () => {
  let storage: TestStorage;
  let server: ServerProcess;
  let gatehouse: { port: number; origin: string };
  let browser: Browser;
  let client: OAuthClient;
  let secret: OAuthClient;
  let total = 0;
  const secrets = new Set<string>();

  beforeAll(async () => {
    storage = await storageForTests();
    server = new ServerProcess({
      PORT: '0',
      LOG_LEVEL: 'trace',
      RATE_LIMIT_MAX: '1000000',
      // No host is resolved: a client document on any other host is refused at once.
      CIMD_ALLOWED_HOSTS: 'none.example',
      ...storage.environment,
    });
    const port = await server.port();
    gatehouse = { port, origin: `http://localhost:${port}` };
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    secret = await OAuthClient.register(gatehouse, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    secrets.add(secret.secret ?? '').add(browser.cookie?.split('=')[1] ?? '');
  });
  afterAll(async () => {
    await server.kill();
    await storage.dispose();
  });

  /** The faults of an answer; empty when there are none. */
  const faults = ({ status, headers }: Answer) => [
    ...(status >= 500 || status === 0 ? [`status ${status}`] : []),
    ...(headers['cache-control'] === 'no-store' ? [] : ['may be kept']),
    ...(headers['set-cookie'] === undefined ? [] : ['sets a cookie']),
  ];
  const authorizeFaults = (answer: Answer) => {
    const { status, headers, text } = answer;
    const { location, 'content-type': type = '' } = headers;
    const [handle] = /(?<=name="handle" value=")[^"]+/.exec(text) ?? [];
    if (handle !== undefined) secrets.add(handle);
    return [
      ...faults(answer),
      ...([200, 302, 400, 414, 431].includes(status) ? [] : [`status ${status}`]),
      ...((status === 302) === (location !== undefined) ? [] : ['redirect or not']),
      ...(location === undefined || /^http:\/\/127\.0\.0\.1:\d{1,5}\/cb\?[!-~]+$/.test(location)
        ? []
        : [`redirects to ${location}`]),
      ...(type.startsWith('text/html') === (status === 200) ? [] : [`${type} with ${status}`]),
      ...(status === 400 && !type.startsWith('text/plain') ? [type] : []),
      ...(status === 200 && /<script>alert|<img/.test(text) ? ['raw markup'] : []),
    ];
  };
  const tokenFaults = (answer: Answer) => {
    const { status, headers, text } = answer;
    const { 'content-type': type = '' } = headers;
    const empty = status === 200 && text === '';
    return [
      ...faults(answer),
      ...([200, 400, 401, 413].includes(status) ? [] : [`status ${status}`]),
      ...(empty || type.startsWith('application/json') ? [] : [`${type} with ${status}`]),
      ...(empty ||
      status === 200 ||
      /^\{"error":"\w+","error_description":"[ !#-[\]-~]*"\}$/.test(text)
        ? []
        : [text]),
      ...(headers.location === undefined ? [] : ['redirects']),
    ];
  };
  const run = async (
    requests: Iterable<string>,
    send: (request: string) => Promise<Answer>,
    faultsOf: (answer: Answer) => string[],
  ) => {
    const found: string[] = [];
    const statuses = new Set<number>();
    let count = 0;
    const one = async (request: string) => {
      count += 1;
      const answer = await send(request);
      statuses.add(answer.status);
      const wrong = faultsOf(answer);
      if (wrong.length > 0) found.push(`${wrong.join('; ')} <- ${request.slice(0, 600)}`);
    };
    let batch: string[] = [];
    for (const request of requests) {
      batch.push(request);
      if (batch.length < BATCH) continue;
      await Promise.all(batch.map(one));
      batch = [];
    }
    await Promise.all(batch.map(one));
    expect(found.slice(0, 10)).toEqual([]);
    total += count;
    return { count, statuses: [...statuses].toSorted() };
  };
  const goodQuery = (): Pairs => [
    ...new URL(client.authorizePath({ scope: 'account:read' }), gatehouse.origin).searchParams,
  ];
  const post = (body: string) => client.send('POST', TOKEN, body, FORM);

  it('authorize, signed in: over 2,500 requests', async () => {
    const send = (query: string) => browser.get(`${AUTHORIZE}?${query}`);
    const parameters = AUTHORIZE_PARAMETERS;
    const { count, statuses } = await run(spoilt(goodQuery(), parameters), send, authorizeFaults);
    expect(count).toBeGreaterThan(2_500);
    expect(statuses).toEqual([200, 302, 400]);
  });

  it('authorize, signed out', async () => {
    const signedOut = new Browser(gatehouse);
    const send = (query: string) => signedOut.get(`${AUTHORIZE}?${query}`);
    const parameters = ['client_id', 'redirect_uri', 'response_type', 'scope', 'prompt'];
    const { statuses } = await run(spoilt(goodQuery(), parameters), send, authorizeFaults);
    expect(statuses).toEqual([200, 302, 400]);
  });

  it('token with a code: over 1,500 requests', async () => {
    const code = await client.authorize(browser);
    secrets.add(code).add(client.verifier);
    const good: Pairs = [
      ['grant_type', 'authorization_code'],
      ['client_id', client.id],
      ['code', 'A'.repeat(43)],
      ['code_verifier', client.verifier],
      ['redirect_uri', REDIRECT_URI],
    ];
    const { count, statuses } = await run(spoilt(good, TOKEN_PARAMETERS), post, tokenFaults);
    expect(count).toBeGreaterThan(1_500);
    expect(statuses).toEqual([400, 401]);
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('token with a secret, a refresh token or a token to revoke', async () => {
    const { refresh_token: refresh, access_token: access } = await secret.connect(browser);
    secrets.add(refresh).add(access);
    const credentials: Pairs = [
      ['client_id', secret.id],
      ['client_secret', secret.secret ?? ''],
    ];
    const refreshing: Pairs = [...credentials, ['grant_type', 'refresh_token']];
    const revoking: Pairs = [...credentials, ['token', 'A'.repeat(43)]];
    const authentication = ['client_id', 'client_secret', 'client_assertion', 'scope', 'resource'];
    const unknown: Pairs = [...refreshing, ['refresh_token', 'A'.repeat(43)]];
    await run(spoilt(unknown, authentication), post, tokenFaults);
    const more = ['client_id', 'token', 'token_type_hint'];
    const { statuses } = await run(spoilt(revoking, more), post, tokenFaults);
    expect(statuses).toEqual([200, 400, 401]);
    const answer = await secret.refresh(refresh);
    expect(answer.status).toBe(200);
    const tokens = answer.json<TokenResponse>();
    secrets.add(tokens.access_token).add(tokens.refresh_token);
  });

  it('odd bodies, content types and Authorization headers', async () => {
    const bodies = [...ODD, '&', '=', '&&==', 'grant_type', '\u0000=\u0000', HUGE.repeat(12)];
    const types = [
      'application/json',
      'text/plain',
      'x',
      'multipart/form-data',
      '*/*',
      FORM['content-type'],
    ];
    const sends = types.flatMap((type) => bodies.map((body) => JSON.stringify({ type, body })));
    const odd = async (request: string) => {
      const { type, body } = JSON.parse(request) as { type: string; body: string };
      return client.send('POST', TOKEN, body, { 'content-type': type });
    };
    const ofBodies = await run(sends, odd, tokenFaults);
    expect(ofBodies.statuses).toEqual([400, 401, 413]);
    const printable = ODD.filter((value) => /^[ -~]*$/.test(value));
    const schemes = ['', 'Basic', 'basic ', 'Bearer ', 'Digest ', 'Basic  ', 'Negotiate '];
    const headers = schemes.flatMap((scheme) =>
      printable.flatMap((value) => [
        `${scheme} ${value}`,
        `${scheme} ${Buffer.from(value).toString('base64')}`,
        `${scheme} ${Buffer.from(`${value}:${value}`).toString('base64')}`,
      ]),
    );
    const authorize = (authorization: string) =>
      client.send('POST', TOKEN, 'grant_type=x', { ...FORM, authorization });
    const ofHeaders = await run(headers, authorize, tokenFaults);
    expect(ofHeaders.statuses).toEqual([401]);
  });

  it('no code, token, secret or handle is in the log', () => {
    const log = server.stdout + server.stderr;
    expect(log).toContain('"level":"trace"');
    expect(total).toBeGreaterThan(5_000);
    expect(secrets.size).toBeGreaterThan(500);
    const told = [...secrets].filter((one) => one.length > 20 && log.includes(one));
    expect(told).toEqual([]);
    expect(log).not.toMatch(/"level":"(error|fatal)"/);
  });
});
