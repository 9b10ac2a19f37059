import { DataSource } from 'typeorm';
import { answerRequest, done, notes, oneRequest } from '../mcp/asking.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { call } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { basic, connectTo, introspect, ResourceFiles } from '../support/resource-files.js';

/** Each with the form of its tokens. */
const RESOURCES = (['opaque', 'jwt'] as const).map((tokens) => ({
  resource: `https://${tokens}.example/mcp`,
  name: tokens,
  scopes: [{ name: `${tokens}:read`, description: 'read' }],
  tokens,
  introspection: { clientId: tokens, secret: 'a secret' },
}));

describe('with the SQL database gone', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let files: ResourceFiles;

  beforeAll(async () => {
    files = await ResourceFiles.of(...RESOURCES);
    gatehouse = await startGatehouse(files.variables, undefined, [notes]);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(async () => {
    await gatehouse.stop();
    files.remove();
  });

  /** Closes the connection from inside, because an SQLite file cannot be disconnected like a server. */
  const lose = () => gatehouse.app.get(DataSource).destroy();
  const restore = () => gatehouse.app.get(DataSource).initialize();

  it('what needs it is 503, no answer says that the user is signed out, and it comes back', async () => {
    const attestation = await new Browser(gatehouse).attest();
    const assertion = await browser.assert();
    await lose();
    const answers = await Promise.all([
      browser.get('/svc/auth/me'),
      browser.post('/svc/auth/logout'),
      browser.post('/svc/auth/register/options', {}),
      browser.post('/svc/auth/register/verify', attestation),
      browser.post('/svc/auth/login/verify', assertion),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.json()['error']).toContain('try again');
      expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    }
    await restore();
    expect((await browser.me()).user).not.toBeNull();
    expect((await browser.signIn()).status).toBe(200);
  });

  it('a call that waits for its person ends with a sentence, and runs once when it is made again', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['account:read']);
    const text = crypto.randomUUID();
    const make = () => client.mcp(token, 'tools/call', { name: 'note', arguments: { text } });
    const ran = () => done.filter((each) => each === text).length;
    const waiting = make();
    const { id } = await oneRequest(browser);
    await lose();
    expect((await waiting).text).toContain('Something went wrong here');
    await restore();
    await answerRequest(browser, 'once', id);
    expect(ran()).toBe(0);
    expect((await make()).json()).toMatchObject({ result: { structuredContent: { text } } });
    expect(ran()).toBe(1);
  });

  it('OAuth and MCP answer 503 in their own words, never 401, and it comes back', async () => {
    const client = await OAuthClient.register(gatehouse);
    const tokens = await client.connect(browser);
    const handle = await client.showConsent(browser);
    await lose();
    const [refreshed, registered, called, page, answered] = await Promise.all([
      client.refresh(tokens.refresh_token),
      client.send('POST', '/svc/oauth/register', '{"redirect_uris":["https://app.example/cb"]}'),
      client.mcp(tokens.access_token),
      browser.get(client.authorizePath()),
      client.answerConsent(browser, handle, ['account:read']),
    ]);
    for (const answer of [refreshed, registered, called, page, answered]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    }
    for (const answer of [refreshed, registered, called]) {
      expect(answer.json()['error']).toBe('temporarily_unavailable');
    }
    for (const answer of [page, answered]) {
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
    await restore();
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(302);
  });

  it.each(RESOURCES)('introspection of $tokens tokens is 503, never inactive', async (own) => {
    const { access_token: token } = await connectTo(gatehouse, browser, own);
    await lose();
    const answer = await call(gatehouse.port, {
      method: 'POST',
      path: '/svc/introspect',
      headers: {
        host: new URL(gatehouse.origin).host,
        'content-type': 'application/x-www-form-urlencoded',
        ...basic(own.introspection.clientId, own.introspection.secret),
      },
      body: `token=${token}`,
    });
    await restore();
    expect([answer.status, answer.json()['error']]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(answer.text).not.toMatch(/sqlite|postgres|SELECT|node_modules/i);
    expect((await introspect(gatehouse, token, own))['active']).toBe(true);
  });
});
